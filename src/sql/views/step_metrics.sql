-- id: step_metrics
-- title: Step metrics
-- group: when
-- doc: Figures that the job logged for its steps, such as its loss, from logs beside the file.
-- parameter: all flag false "All" "Also figures that were logged outside the recorded steps"
-- parameter: search text "" "Search" "Part of the name, in any letter case"
-- needs: step_metrics "no event file of TensorBoard and no metric of MLflow lies beside the file"
-- rows: "value" "values"
-- panel: lines x=number y=value each=curve width=third doc="Value by step."
-- panel: table empty="No figure matches."
-- column: number title="Step" doc="Number of the step, as logged."
-- column: name title="Figure" doc="Name, as logged"
-- column: value title="Value" doc="Value, as logged." unknown="it is not a finite number"
-- column: time title="Logged at" doc="When it was logged, since the run's origin." unknown="the log or the profile has no date"
-- column: recorded unit=id title="Recorded step" doc="Number of the recorded step that it belongs to." unknown="it belongs to none"
-- column: log title="Log" doc="File or folder of the log"
-- column: curve hidden title="Curve" doc="The figure; with its log, if several logs have it"
-- column: slice unit=id hidden title="Step on the timeline" doc="Row in slices of the recorded step"
-- link: "On the timeline" timeline slice=$slice
SELECT m.number, m.name, m.value, m.time, t.number AS recorded, m.log, t.slice,
  CASE WHEN min(m.log) OVER (PARTITION BY m.name) = max(m.log) OVER (PARTITION BY m.name) THEN m.name ELSE m.name || ', ' || m.log END AS curve
FROM step_metrics m LEFT JOIN steps t ON t.id = m.step
WHERE contains(lower(m.name), lower($search))
  AND ($all OR m.step IS NOT NULL OR NOT EXISTS (SELECT 1 FROM step_metrics s WHERE s.step IS NOT NULL))
ORDER BY m.time NULLS LAST, m.number, m.log, m.name
