-- Collectives without a sequence number in steps where ranks have different numbers of them: which is which is unknown.
CREATE TABLE unequal AS
SELECT match_key - occurrence AS stream FROM collectives
WHERE match_rule = 'order'
GROUP BY match_key - occurrence
HAVING count(*) <> sum(CASE WHEN occurrence = 0 THEN 1 ELSE 0 END) * (max(occurrence) + 1)
