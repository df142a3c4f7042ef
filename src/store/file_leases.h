// Leases on files that are mapped. A program that touches a page of a mapped file that was cut meanwhile is killed by the system
// (SIGBUS). A lease (see fcntl(2)) turns this round: a process that cuts the file or opens it for writing waits until the
// holder of the lease was notified and releases it. A thread does that: first it puts a copy of the bytes, in memory of our
// own, in the place of the mapping, so that threads that read them notice nothing.
#pragma once

#include <cstddef>

namespace sightline::store {

// False where the system gives no lease: a process has the file open for writing, its file system knows no leases, or it is
// another user's.
bool lease_file(int fd);

// Maps a file of which we hold the lease, for reading; null when it cannot be. REQUIRES: forget_lease before munmap and close.
void* map_leased(int fd, std::size_t size);

// Of a file without a lease: does nothing.
void forget_lease(int fd);

}  // namespace sightline::store
