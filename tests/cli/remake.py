"""remake.py CAMPAIGN [ARGUMENT...] <CODE: gives each run of campaigns/CAMPAIGN, in the order of its record files, to
the function change that CODE defines, which alters it; ARGUMENTs are `arguments` there. Checksums are made to fit."""

import glob
import json
import sys

sys.dont_write_bytecode = True
from seal import seal  # noqa: E402

arguments = sys.argv[2:]
exec(sys.stdin.read())
for path in sorted(glob.glob(f"campaigns/{sys.argv[1]}/records/*.jsonl")):
    with open(path) as file:
        records = [json.loads(line) for line in file]
    for record in records:
        if record["record"] == "run":
            change(record)  # noqa: F821
    with open(path, "w") as file:
        file.writelines(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    seal(path)
