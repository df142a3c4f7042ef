-- id: fleet_links
-- title: Links
-- group: fleet
-- doc: How fast collectives moved their data between each pair of hosts, against other pairs with equal collectives.
-- parameter: search text "" "Search" "Part of the name of a host, in any letter case"
-- needs: lake_files "this is not a capture of a lake"
-- rows: "pair of hosts and size" "pairs of hosts and sizes"
-- panel: table empty="No collective over two hosts or more was matched."
-- column: host_a title="Host" plain doc="One of the two, neighbours in the order of the group's ranks."
-- column: host_b title="Other host" plain doc="The other."
-- column: kind title="Collective" words doc="What it does."
-- column: size unit=bytes title="Size" doc="Size of the message." unknown="the file does not say how large it is"
-- column: hosts unit=count title="Hosts of the group" doc="A collective over more than two hosts counts for each pair of neighbours: its time is that of its slowest link."
-- column: collectives unit=count title="Collectives" doc="Collectives over the two hosts."
-- column: transfer_mean unit=ns title="Mean data transfer" doc="Mean of the shortest time that any rank was in it."
-- column: fastest unit=ns title="Fastest data transfer" doc="The shortest of these times."
-- column: usual unit=ns title="Median of the pairs" doc="Median of the mean data transfers of all pairs with collectives of this kind, size and number of hosts." unknown="fewer than three pairs have such collectives"
-- column: times unit=none title="Times the median" doc="Mean data transfer / median of the pairs: far above 1, the link is slow." unknown="fewer than three pairs have such collectives"
WITH means AS (
  SELECT host_a, host_b, kind, bytes AS size, hosts, collectives, transfer / nullif(collectives, 0) AS transfer_mean, fastest FROM links),
placed AS (
  SELECT m.*, row_number() OVER (PARTITION BY kind, size, hosts ORDER BY transfer_mean) * 2 AS twice,
    count(*) OVER (PARTITION BY kind, size, hosts) AS pairs
  FROM means m),
medians AS (
  SELECT p.*, CASE WHEN pairs >= 3 THEN min(CASE WHEN twice >= pairs THEN transfer_mean END) OVER (PARTITION BY kind, size, hosts) END AS usual
  FROM placed p)
SELECT host_a, host_b, kind, size, hosts, collectives, transfer_mean, fastest, usual, transfer_mean / nullif(usual, 0) AS times
FROM medians
WHERE $search = '' OR contains(lower(host_a), lower($search)) OR contains(lower(host_b), lower($search))
ORDER BY times DESC NULLS LAST, transfer_mean DESC, host_a, host_b, kind, size, hosts
LIMIT 1000
