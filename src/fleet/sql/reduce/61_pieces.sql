-- Matched collectives that overlap others of their rank or the edge of a step, cut at the steps. Data moves from `moves` on.
CREATE TABLE pieces AS
SELECT c.rank_id, s.step, greatest(c.start, s.start) AS begins, greatest(c.start + c.duration - m.transfer, s.start) AS moves,
  least(c.start + c.duration, s.start + s.total) AS ends
FROM collectives c
  JOIN matches m ON m.match_key = c.match_key AND m.group_id = c.group_id
  JOIN steps s ON s.rank_id = c.rank_id AND c.start < s.start + s.total AND c.start + c.duration > s.start
WHERE NOT c.apart
