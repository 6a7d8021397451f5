-- Arrays that are cut anew while speeds change: how often and how many bytes changed owners, what a
-- sweep took before, in between and after, what that took and what the model had said of both.
ALTER TABLE run ADD COLUMN rebalances REAL;
ALTER TABLE run ADD COLUMN moved_bytes REAL;
ALTER TABLE run ADD COLUMN iteration_before_s REAL;
ALTER TABLE run ADD COLUMN iteration_changed_s REAL;
ALTER TABLE run ADD COLUMN iteration_after_s REAL;
ALTER TABLE run ADD COLUMN saving_predicted_s REAL;
ALTER TABLE run ADD COLUMN cut_predicted_s REAL;
ALTER TABLE run ADD COLUMN rebalance_s REAL;
ALTER TABLE run ADD COLUMN move_s REAL;
ALTER TABLE sample ADD COLUMN rebalance_s REAL;
ALTER TABLE sample ADD COLUMN move_s REAL;
ALTER TABLE outcome ADD COLUMN rebalance_s REAL;
ALTER TABLE outcome ADD COLUMN rebalance_low_s REAL;
ALTER TABLE outcome ADD COLUMN rebalance_high_s REAL;
ALTER TABLE outcome ADD COLUMN move_s REAL;
ALTER TABLE outcome ADD COLUMN move_low_s REAL;
ALTER TABLE outcome ADD COLUMN move_high_s REAL;
