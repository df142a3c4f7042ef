"""A proxy between the program and a server that damages the traffic: it delays, stalls, or cuts connections in the middle."""
import socket
import threading

PIECE = 16 * 1024


class FaultProxy:
    """Forwards bytes to `authority`. Its attributes, which may change at any time, set the faults:

    delay       seconds before each piece of a response
    cut_after   bytes of a response on one connection, after which the connection is cut, `cuts` times
    cut_on      bytes: a request that has them is not sent, and its connection is cut
    stall_after bytes of a response on one connection, after which nothing more is sent
    refuse()    closes every new connection at once, and counts them
    after()     calls a function, once, when this many bytes have been sent on all connections
    """

    def __init__(self, authority):
        self.target = authority.split(":")[0], int(authority.split(":")[1])
        self.delay, self.cut_after, self.cuts, self.stall_after = 0, None, 0, None
        self.cut_on = None
        self.answered = 0  # bytes, on all connections
        self.due = None
        self.refusing, self.refused = False, 0
        self.ended = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.authority = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.lock = threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.listener.close()

    def refuse(self):
        self.refusing = True

    def after(self, answered, action):
        self.due = answered, action

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.refusing:
                self.refused += 1
                client.close()
                continue
            server = socket.create_connection(self.target)
            threading.Thread(target=self.pass_on, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(server, client, True), daemon=True).start()

    def pass_on(self, source, to, is_answer):
        passed = 0
        try:
            while (piece := source.recv(PIECE)) and not self.refusing:
                if not is_answer and self.cut_on is not None and self.cut_on in piece:
                    break
                if is_answer:
                    passed += len(piece)
                    if not self.lets_through(passed):
                        break
                    with self.lock:
                        self.answered += len(piece)
                        if self.due and self.answered > self.due[0]:
                            self.due[1]()
                            self.due = None
                to.sendall(piece)
        except OSError:
            pass
        for end in (source, to):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def lets_through(self, passed):
        if self.delay:
            self.ended.wait(self.delay)
        if self.stall_after is not None and passed > self.stall_after:
            self.ended.wait()
        with self.lock:
            if self.cut_after is not None and self.cuts > 0 and passed > self.cut_after:
                self.cuts -= 1
                return False
        return True
