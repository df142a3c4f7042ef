CREATE TABLE groups AS
SELECT group_id, name, coalesce(nullif(about, ''), name, 'unknown') AS axis, nullif(about, '') AS about, listed_ranks, group_size, ranks, first_rank,
  last_rank
FROM (SELECT m.group_id, min(m.name) AS name, min_by(coalesce(m.about, ''), p.position) AS about, min(m.listed_ranks) AS listed_ranks,
        max(m.group_size) AS group_size, count(*) AS ranks, min(r.rank) AS first_rank, max(r.rank) AS last_rank
      FROM memberships m JOIN positions p ON p.rank_id = m.rank_id JOIN ranks r ON r.id = m.rank_id
      GROUP BY m.group_id) AS of_ranks
