-- What 77_captures and 80_members need of sums, which is the largest table and can go: those that one rank recorded.
CREATE TABLE alone AS
SELECT match_key, group_id FROM sums WHERE ranks = 1
