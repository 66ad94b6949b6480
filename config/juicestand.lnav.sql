-- Stock over time, from the ledgers that lnav has open: one row for each level at the opening and each change.
-- Unlimited fruit is left out.
-- lnav cannot have columns named order, from or to. This view reads them from the line itself.
CREATE VIEW juicestand_stock AS
SELECT
    log_line,
    CAST(jget(log_raw_text, '/at') AS REAL) AS at,
    fruit,
    CAST(jget(log_raw_text, '/to') AS INTEGER) AS pieces,
    CAST(jget(log_raw_text, '/to') AS INTEGER) - CAST(jget(log_raw_text, '/from') AS INTEGER) AS change,
    cause,
    CAST(jget(log_raw_text, '/order') AS INTEGER) AS order_number
FROM juicestand_ledger
WHERE event = 'stockChanged'
UNION ALL
SELECT log_line, CAST(jget(log_raw_text, '/at') AS REAL), level.key, level.value, NULL, 'opening', NULL
FROM juicestand_ledger, json_each(stock) AS level
WHERE event = 'opened' AND level.type = 'integer'
ORDER BY log_line;
