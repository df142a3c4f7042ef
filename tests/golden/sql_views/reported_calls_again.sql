-- id: reported_calls_again
-- title: Runtime calls that the file sums
-- needs: reported_calls
-- column: calls unit=count
-- column: total unit=ns
-- column: share unit=share
-- column: mean unit=ns
-- column: max unit=ns
-- column: min unit=ns
SELECT name, part AS layer, calls, total, total / nullif(sum(total) OVER (), 0) AS share, total / nullif(calls, 0) AS mean,
  longest AS max, shortest AS min
FROM reported_calls
WHERE kind = 'runtime'
ORDER BY total DESC NULLS LAST, id
