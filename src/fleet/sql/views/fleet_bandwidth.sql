-- id: fleet_bandwidth
-- title: Bandwidth
-- group: fleet
-- doc: How fast collectives of each kind and size moved their data.
-- parameter: number text "" "Step" "Only the step of this number"
-- needs: lake_files "this is not a capture of a lake"
-- rows: "kind and size" "kinds and sizes"
-- panel: table empty="No collective was recorded on two workers."
-- column: kind title="Collective" words doc="What it does."
-- column: group title="Process groups" plain doc="Their names in the program."
-- column: ranks unit=count title="Ranks" doc="Ranks of the process group, as recorded, else those seen."
-- column: size unit=bytes title="Size" doc="Size of the message." unknown="the file does not say how large it is"
-- column: collectives unit=count title="Collectives" doc="One on several ranks counts once."
-- column: transfer_mean unit=ns title="Mean data transfer" doc="Mean of the shortest time that any rank was in it, where above 0."
-- column: waited_mean unit=ns title="Mean wait" doc="How long a rank waited for the last rank."
-- column: algorithm_bandwidth unit=bytes_per_second title="Algorithm bandwidth" doc="Bytes of the message per second." unknown="the file does not say how large it is"
-- column: bus_bandwidth unit=bytes_per_second title="Bus bandwidth" doc="Algorithm bandwidth x factor; compare it with the bandwidth of a hardware link." unknown="the file does not say how large it is"
-- column: best_bus_bandwidth unit=bytes_per_second title="Best bus bandwidth" doc="Bus bandwidth of the fastest collective." unknown="the file does not say how large it is"
WITH summed AS (
  SELECT kind, about AS group, ranks, bytes AS size, sum(collectives) AS collectives, sum(timed) AS timed,
    CAST(sum(CASE WHEN timed > 0 THEN transfer ELSE 0 END) AS BIGINT) AS transfer, min(fastest) AS fastest, sum(waited) AS waited,
    sum(members) AS members,
    CASE WHEN ranks < 2 THEN NULL
         WHEN kind = 'all_reduce' THEN 2 * (ranks - 1.0::DOUBLE) / ranks
         WHEN kind IN ('all_gather', 'reduce_scatter', 'all_to_all', 'gather', 'scatter') THEN (ranks - 1.0::DOUBLE) / ranks
         WHEN kind IN ('broadcast', 'reduce', 'send', 'receive', 'send_receive') THEN 1.0::DOUBLE END AS factor
  FROM bandwidth WHERE $number = '' OR step_number = TRY_CAST($number AS BIGINT)
  GROUP BY kind, about, ranks, bytes)
SELECT kind, "group", ranks, size, collectives, transfer / nullif(timed, 0) AS transfer_mean, waited / nullif(members, 0) AS waited_mean,
  size::DOUBLE * timed::DOUBLE / (nullif(transfer, 0) * 1e-9::DOUBLE) AS algorithm_bandwidth,
  size::DOUBLE * timed::DOUBLE / (nullif(transfer, 0) * 1e-9::DOUBLE) * factor AS bus_bandwidth,
  size::DOUBLE / (nullif(fastest, 0) * 1e-9::DOUBLE) * factor AS best_bus_bandwidth
FROM summed
ORDER BY size DESC NULLS LAST, kind, "group", ranks
