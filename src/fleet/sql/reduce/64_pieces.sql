DROP TABLE pieces
