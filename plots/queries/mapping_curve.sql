-- The measure whose name is the `word`, over the meshes.
SELECT printf('%s, %d links', shown, links) AS panel,
       mesh,
       series,
       cell,
       value,
       low,
       high,
       networks,
       ranks,
       style
FROM mapping_curves
WHERE measure IN word
ORDER BY panel_place, links DESC, place, ranks;
