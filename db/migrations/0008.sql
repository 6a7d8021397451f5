-- Processes that are placed on nodes: the topology that was taken (NAME@SHA-256), how many of them the
-- placement put on other nodes, and what the model says of it: bytes x links, and the seconds of a
-- message's header.
ALTER TABLE run ADD COLUMN topology_taken TEXT;
ALTER TABLE run ADD COLUMN placement_moved INTEGER;
ALTER TABLE run ADD COLUMN placement_cardinality REAL;
ALTER TABLE run ADD COLUMN placement_latency_s REAL;
