-- id: network_transfers
-- title: Network transfers
-- group: fleet
-- doc: Transfers of devices over the network of the hosts: how much time the program left for them, and how long it waited.
-- parameter: search text "" "Search" "Part of the transfer's name, in any letter case"
-- needs: network_transfers "no operator of a program sends or receives over the network of the hosts"
-- rows: "network transfer" "network transfers"
-- panel: table empty="No transfer matches."
-- column: name title="Transfer" doc="Name of the transfer in the program"
-- column: kind title="Kind" doc="Kind of transfer, as the file names it" unknown="the program does not state it"
-- column: device unit=id title="Device" doc="Device number within the worker"
-- column: calls unit=count sums title="Calls" doc="Transfers that were begun and ended in the recording"
-- column: slack_ns unit=ns title="Slack" doc="Average time that the program did other work: from the start of the send to the start of the wait for the received data, without the operators of transfers in between. A transfer that takes no longer is hidden."
-- column: observed_ns unit=ns title="Duration" doc="Average time from the start of the send to the end of the wait for the received data."
-- column: stall_ns unit=ns title="Stall" doc="Average time in the operators of the transfer: send, receive, and the waits for both."
-- column: total_stall_ns unit=ns sums title="Total stall" doc="Sum of the stalls"
-- column: bytes unit=bytes title="Bytes" doc="Average bytes that cross the network for the device, by the kind of transfer and the size of its group." unknown="the kind of transfer or the size of its group is not known"
-- column: required unit=bytes_per_second title="Required bandwidth" doc="Bytes / slack: at this rate the transfer would be hidden." unknown="its bytes are not known, or there is no slack"
-- column: group_size unit=count title="Group" doc="Devices that exchange the data; 1: from one device to another" unknown="the file does not state it"
-- column: send title="Send" doc="Operator that begins to send"
-- column: receive title="Receive" doc="Operator that waits for the received data"
-- column: slice unit=id hidden title="Longest stall on the timeline" doc="Row in slices of the wait of the transfer with the longest stall"
-- link: "Longest stall on the timeline" timeline slice=$slice
WITH parts AS (
  SELECT id AS transfer, unnest([send, receive, send_done, receive_done]) AS slice FROM network_transfers
), ran AS (
  SELECT p.transfer, s.start, s.duration, coalesce(l.overflow_of, l.id) AS lane
  FROM parts p JOIN slices s ON s.id = p.slice JOIN threads l ON l.id = s.lane
), stalls AS (
  SELECT transfer, sum(duration) AS stall FROM ran GROUP BY transfer
), spans AS (
  SELECT t.id AS transfer, t.name, t.kind, t.group_size, t.bytes, t.receive_done AS slice, l.device, b.name AS send, e.name AS receive,
    coalesce(l.overflow_of, l.id) AS lane, b.start AS begun, e.start AS waited, e.start + e.duration AS ended
  FROM network_transfers t JOIN slices b ON b.id = t.send JOIN slices e ON e.id = t.receive_done JOIN threads l ON l.id = e.lane
), slacks AS (
  SELECT s.transfer, greatest(0, any_value(s.waited - s.begun) - coalesce(sum(r.duration), 0)) AS slack
  FROM spans s LEFT JOIN ran r ON r.lane = s.lane AND r.start >= s.begun AND r.start < s.waited
  GROUP BY s.transfer
)
SELECT s.name, s.kind, s.device, count(*) AS calls, avg(k.slack) AS slack_ns, avg(s.ended - s.begun) AS observed_ns,
  avg(w.stall) AS stall_ns, sum(w.stall) AS total_stall_ns, avg(s.bytes) AS bytes,
  CASE WHEN sum(k.slack) > 0 THEN avg(s.bytes) / avg(k.slack) * 1e9 END AS required, any_value(s.group_size) AS group_size,
  any_value(s.send) AS send, any_value(s.receive) AS receive, arg_max(s.slice, w.stall) AS slice
FROM spans s JOIN stalls w ON w.transfer = s.transfer JOIN slacks k ON k.transfer = s.transfer
WHERE contains(lower(s.name), lower($search))
GROUP BY s.name, s.kind, s.device
ORDER BY total_stall_ns DESC, s.name, s.device
