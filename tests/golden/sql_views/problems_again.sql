-- id: problems_again
-- title: Problems
-- doc: What was wrong with the file, and what Sightline did about it.
-- rows: "kind of problem" "kinds of problems"
-- panel: table empty="Nothing unusual was found while reading this profile."
-- column: severity words title="Severity" doc="note, warning or error"
-- column: code title="Cause" doc="Stable name of the cause"
-- column: message words title="What was found" doc="What was found and what Sightline did about it"
-- column: count unit=count title="Count" doc="How often"
-- column: offset unit=none title="First at byte" doc="Offset of the first one, in the decompressed file" unknown="it has no place in the file"
SELECT severity, code, message, "count", "offset"
FROM problems
ORDER BY id
