-- The lengths of the unions of these pieces: each adds what reaches beyond the furthest end before it.
CREATE TABLE unions AS
SELECT rank_id, step, CAST(sum(CASE WHEN part = 'matched' THEN added ELSE 0 END) AS BIGINT) AS matched,
  CAST(sum(CASE WHEN part = 'transfer' THEN added ELSE 0 END) AS BIGINT) AS transfer
FROM (SELECT rank_id, step, part, greatest(0, ends - greatest(begins, coalesce(furthest, begins))) AS added
      FROM (SELECT *, max(ends) OVER (PARTITION BY rank_id, step, part ORDER BY begins, ends
                                      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS furthest
            FROM (SELECT rank_id, step, 'matched' AS part, begins, ends FROM pieces
                  UNION ALL
                  SELECT rank_id, step, 'transfer' AS part, moves AS begins, ends FROM pieces WHERE moves < ends) AS parts) AS followed
     ) AS lengths
GROUP BY rank_id, step
