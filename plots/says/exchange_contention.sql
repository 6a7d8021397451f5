-- Table 2 of Ranka, Wang and Kumar: how long a rank takes to receive from d at once. It holds where
-- all times are within 15 % of the paper's, in part where half of them are.
WITH named (kind, ranks, bytes, value, paper) AS (
    SELECT 'measured', ranks, bytes, value, paper_value FROM plotted WHERE quantity = 'one ms'
    UNION ALL
    SELECT 'simulated', ranks, bytes, simulated_value, paper_value FROM plotted
    WHERE quantity = 'one ms'
)
SELECT kind, printf('Time to receive d messages of %d bytes', bytes) AS claim,
       CASE WHEN total(abs(value / paper - 1) <= 0.15) = count(*) THEN 'yes'
            WHEN total(abs(value / paper - 1) <= 0.15) >= 0.5 * count(*) THEN 'partly'
            ELSE 'no' END AS holds,
       printf('%.2f to %.2f of the times on the paper''s machine; %d of %d within 15 %%.',
              min(value / paper), max(value / paper), total(abs(value / paper - 1) <= 0.15),
              count(*)) AS sentence
FROM named
WHERE value IS NOT NULL AND paper IS NOT NULL
GROUP BY kind, ranks, bytes
ORDER BY kind, bytes;
