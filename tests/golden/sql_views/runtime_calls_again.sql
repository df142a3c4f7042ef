-- id: runtime_calls_again
-- title: Runtime calls
-- group: where_time_went
-- parameter: search text "" "Search" "Part of the call's name, in any letter case"
-- needs: slices
-- panel: breakdown label=name value=self title="Time in runtime calls"
-- panel: table
-- column: calls unit=count
-- column: total unit=ns
-- column: self unit=ns bar=share
-- column: share unit=share
-- column: mean unit=ns
-- column: max unit=ns
-- column: min unit=ns
-- column: launched unit=count
-- column: longest_slice unit=id hidden
-- link: "Longest on the timeline" timeline slice=$longest_slice
WITH calls AS (SELECT id, name, parent, duration FROM slices WHERE kind = 'runtime'),
  inner_calls AS (SELECT p.id, sum(c.duration) AS inside FROM calls c JOIN calls p ON p.id = c.parent GROUP BY p.id),
  launched AS (SELECT l.slice AS id, count(*) AS pieces FROM device_work w JOIN launches l ON l.id = w.launch GROUP BY l.slice),
  named AS (SELECT name, min(id) AS first, count(*) AS calls, sum(duration) AS total, sum(duration - coalesce(inside, 0)) AS self,
              max(duration) AS max, min(duration) AS min, coalesce(sum(pieces), 0) AS launched,
              (min({'longest': -duration, 'id': id})).id AS longest_slice
            FROM calls LEFT JOIN inner_calls USING (id) LEFT JOIN launched USING (id)
            GROUP BY name)
SELECT name, calls, total, self, self / nullif(sum(self) OVER (), 0) AS share, total / calls AS mean, max, min, launched, longest_slice
FROM named
WHERE contains(lower(name), lower($search))
ORDER BY self DESC, first
