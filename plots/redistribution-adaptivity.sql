-- title: Redistribution, measured while links change: greedy by the present network, the former one and none, beside direct
-- sweep: redistribution-adaptivity
-- rows: workload = 'redistribute' AND contender IN ('greedy', 'direct') AND kind = 'measured'
-- rows: AND (network IS NULL OR network = 'measured' OR network LIKE '%@%') AND communication_s IS NOT NULL
-- environments: all
-- panel: panel
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value low high n network_taken environment
-- size: 1200x560
--
-- A state is an environment: a cluster whose links are described to nuce (docs/how-to/cluster.md) gets a new one when they
-- change. States are in the order in which they were first measured. Median [95 % interval] in ms, then the ratio to
-- direct in the same state [at least, at most: the ends of both intervals]. Before the first change the network as it
-- was is right.
WITH panels (panel, panel_place) AS (
    VALUES ('communication time, ms', 1), ('over direct', 2)
),
named AS (
    SELECT *,
           json_remove(instance, '$.network') AS problem,
           CASE WHEN schedule = 'direct' THEN 'direct'
                WHEN network IS NULL THEN 'greedy, no network'
                WHEN network = 'measured' THEN 'greedy, present network'
                ELSE 'greedy, ' || substr(network, 1, instr(network, '@') - 1) END AS series,
           CASE WHEN schedule = 'direct' THEN 4 WHEN network IS NULL THEN 3
                WHEN network = 'measured' THEN 1 ELSE 2 END AS place
    FROM chosen
),
-- If all or none are given a network, the value of knowing it is not shown.
asked AS (
    SELECT *, min(started) OVER (PARTITION BY ranks, problem, environment) AS begun
    FROM named
    WHERE (ranks, problem) IN (SELECT ranks, problem FROM named WHERE series = 'greedy, no network')
      AND (ranks, problem) IN (SELECT ranks, problem FROM named WHERE place <= 2)
),
numbered AS (
    SELECT *,
           dense_rank() OVER (PARTITION BY ranks, problem ORDER BY begun, environment) AS state,
           row_number() OVER (PARTITION BY ranks, problem, environment, series
                              ORDER BY started DESC, point) AS newest
    FROM asked
),
cells AS (
    SELECT p.panel, p.panel_place, c.state, c.ranks, json_extract(c.params, '$.factor') AS factor,
           json_extract(c.params, '$.elements') AS elements, c.series, c.place, c.n, c.network_taken,
           c.environment,
           CASE p.panel_place WHEN 1 THEN 1000 * c.communication_s
                              ELSE c.communication_s / d.communication_s END AS value,
           CASE p.panel_place WHEN 1 THEN 1000 * c.communication_low_s
                              ELSE c.communication_low_s / d.communication_high_s END AS low,
           CASE p.panel_place WHEN 1 THEN 1000 * c.communication_high_s
                              ELSE c.communication_high_s / d.communication_low_s END AS high
    FROM numbered AS c
    CROSS JOIN panels AS p
    LEFT JOIN numbered AS d ON d.series = 'direct' AND d.newest = 1 AND d.ranks = c.ranks
        AND d.problem = c.problem AND d.environment = c.environment
    WHERE c.newest = 1
      AND (p.panel_place = 1 OR c.series <> 'direct')
)
SELECT panel,
       state,
       substr(environment, 1, 8) AS links,
       ranks,
       factor,
       elements,
       series,
       CASE WHEN low IS NULL THEN printf('%.4g', value)
            ELSE printf('%.4g [%.4g, %.4g]', value, low, high) END AS cell,
       value,
       low,
       high,
       n,
       network_taken,
       environment,
       place AS style
FROM cells
WHERE value IS NOT NULL
ORDER BY panel_place, ranks, factor, elements, place, series, state;

-- says
-- Bhat, Prasanna and Raghavendra: a schedule for the present links takes less time than direct, even when
-- links change. It holds if the interval of greedy's time over direct's is below 1 in all states, in part
-- if it is in some; without an interval the result is unknown. Then follows the value of the network as
-- it was, and of none, by comparison.
WITH over AS (
    SELECT ranks, factor, elements, series, count(*) AS states, min(value) AS least,
           max(value) AS most, total(high < 1) AS sure, count(high) AS known, min(n) AS n
    FROM plotted
    WHERE panel = 'over direct'
    GROUP BY ranks, factor, elements, series
),
others AS (
    SELECT ranks, factor, elements,
           group_concat(printf('; %s %s', series,
                               CASE WHEN printf('%.2f', least) = printf('%.2f', most)
                                    THEN printf('%.2f', least)
                                    ELSE printf('%.2f to %.2f', least, most) END), '') AS sentence
    FROM over
    WHERE series <> 'greedy, present network'
    GROUP BY ranks, factor, elements
)
SELECT 'measured' AS kind, 'Computed for the links as they are, greedy takes less than direct' AS claim,
       CASE WHEN o.known = 0 THEN NULL WHEN o.sure = o.states THEN 'yes' WHEN o.sure > 0 THEN 'partly'
            ELSE 'no' END AS holds,
       printf('%d ranks, K = %d, %d state%s of the links: %.2f to %.2f of direct''s time, less, intervals apart, in '
              || '%d%s (n = %d).', o.ranks, o.factor, o.states, iif(o.states = 1, '', 's'), o.least,
              o.most, o.sure, coalesce(t.sentence, ''), o.n) AS sentence
FROM over AS o
LEFT JOIN others AS t ON t.ranks = o.ranks AND t.factor = o.factor AND t.elements = o.elements
WHERE o.series = 'greedy, present network'
ORDER BY o.ranks, o.factor, o.elements;
