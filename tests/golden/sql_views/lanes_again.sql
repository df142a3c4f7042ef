-- id: lanes_again
-- title: Lanes
-- column: name title="Name" doc="Thread or stream name"
-- column: kind words
-- column: device unit=id
-- column: slices unit=count
-- column: relieves unit=id
SELECT name, replace(kind, '_', ' ') AS kind, pid AS process, device, track, slices, overflow_of AS relieves
FROM threads
ORDER BY id
