-- What the algorithm, the prediction and the bounds took messages to cost, and how deep the streams
-- were: `network: measured` and `depth: auto` are found out where the run runs.
ALTER TABLE run ADD COLUMN network_taken TEXT;
ALTER TABLE run ADD COLUMN depth_taken INTEGER;
