CREATE VIEW members AS
SELECT c.match_key, c.group_id, c.rank_id, c.step, c.start, c.duration, c.slice
FROM collectives c JOIN (SELECT match_key, group_id FROM matches) m ON m.match_key = c.match_key AND m.group_id = c.group_id
