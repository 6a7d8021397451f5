-- Of the traced step, whose transfers are in `event`: how many had no room, and how well the clocks
-- of its ranks are known. NULL: no step was traced.
ALTER TABLE run ADD COLUMN events_lost INTEGER;
ALTER TABLE run ADD COLUMN clock_error_s REAL;
