-- The collectives that are not matched are few; to leave them out takes less than to find the matched ones.
CREATE VIEW members AS
SELECT c.match_key, c.group_id, c.rank_id, c.step, c.start, c.duration, c.slice
FROM collectives c LEFT JOIN alone a ON a.match_key = c.match_key AND a.group_id = c.group_id
WHERE a.match_key IS NULL
  AND (c.match_rule = 'sequence' OR (c.match_rule = 'order' AND c.match_key - c.occurrence NOT IN (SELECT stream FROM unequal)))
