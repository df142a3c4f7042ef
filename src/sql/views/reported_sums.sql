-- id: reported_sums
-- title: Reported sums
-- group: data
-- doc: Totals per call that the file itself reports.
-- parameter: search text "" "Search" "Part of the name, in any letter case"
-- needs: reported_calls "the file reports no totals of calls"
-- rows: "sum" "sums"
-- panel: table empty="No sum matches."
-- column: name title="Name" doc="Name of the call"
-- column: kind words title="Kind" doc="Kind of work"
-- column: part title="Layer" doc="Layer of software or kind of core, as named in the file"
-- column: calls sums title="Calls" doc="How often it was called."
-- column: total sums title="Total" doc="Total time of these calls, as reported in the file"
-- column: longest title="Max" doc="Longest call."
-- column: shortest title="Min" doc="Shortest call."
SELECT name, kind, part, calls, total, longest, shortest
FROM reported_calls
WHERE contains(lower(name), lower($search))
ORDER BY total DESC NULLS LAST, name
