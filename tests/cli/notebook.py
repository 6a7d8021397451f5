"""Runs the cells of the notebook: notebook.py FILE. Without pandas a stand-in checks what is asked of nuce and SQLite."""
import csv
import importlib.util
import json
import sys
import unittest.mock

if importlib.util.find_spec("pandas") is None:
    def read_sql(query, connection):
        """Any frame, of a query that gives rows."""
        assert connection.execute(query).fetchall(), query
        return unittest.mock.MagicMock()

    def read_csv(text):
        """Any frame, of a file that has rows."""
        assert len(list(csv.DictReader(text))) > 0, "no rows"
        return unittest.mock.MagicMock()

    sys.modules["pandas"] = unittest.mock.MagicMock(read_sql=read_sql, read_csv=read_csv)

names = {}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        assert cell["outputs"] == [], "outputs are of whoever ran it last"
        exec(compile("".join(cell["source"]), sys.argv[1], "exec"), names)
