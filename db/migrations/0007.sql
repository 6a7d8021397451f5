-- Sweeps over decomposed arrays: how evenly the time of computing was spread over the ranks (largest
-- over mean), and the weights that were measured for the run.
ALTER TABLE run ADD COLUMN load_balance REAL;
ALTER TABLE run ADD COLUMN weights_taken TEXT;
