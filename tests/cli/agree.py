"""Holds against each other what agree.sh has written: agree.py CONTENDER..., all but the reference."""

import html
import json
import re
import sys


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def text(path):
    with open(path, encoding="utf-8") as file:
        return " ".join(html.unescape(file.read()).split())


def same(what, a, b, tolerance=1e-9):
    if a is None or b is None:
        assert a == b, f"{what}: {a}, {b}"
    else:
        assert abs(a - b) <= tolerance * abs(b), f"{what}: {a}, {b}"


def spelled(row):
    # Three launches on a busy machine give ends of any size.
    ratio, low, high = (f"{x:.2f}" if x < 99.995 else f"{x:.4g}"
                        for x in (row["ratio"], row["ratio_low"], row["ratio_high"]))
    return f"{ratio}x [{low}, {high}]"


RATIOS = {(r["size"], r["name"]): r for r in rows("ratio.jsonl") if r["contender"] != "duplicate"}
DUPLICATES = {r["size"]: r for r in rows("ratio.jsonl") if r["contender"] == "duplicate"}
SHOWN = {(r["size"], r["contender"]): r for r in rows("show.jsonl")}
VERDICTS = {r["size"]: r for r in rows("verdict.jsonl")}
SIZES = sorted(DUPLICATES)
assert len(SIZES) == 2 and len(RATIOS) == 2 * (1 + len(sys.argv[1:])), RATIOS.keys()

for key, row in RATIOS.items():
    shown = SHOWN[key]
    same(f"{key}, table", shown["ratio"], row["ratio"])
    same(f"{key}, is_best", shown["is_best"], row["is_best"])
    same(f"{key}, noise", shown["noise"], DUPLICATES[key[0]]["ratio"])
    assert f"noise (ac vs ac) {spelled(DUPLICATES[key[0]])}" in text("show.txt"), key
    if row["contender"] == "contender":
        same(f"{key}, low", shown["ratio_low"], row["ratio_low"])
        same(f"{key}, high", shown["ratio_high"], row["ratio_high"])
        assert f" {spelled(row)} " in text("show.txt"), key

for contender in sys.argv[1:]:
    compared = {size: row for row in rows(f"compare-{contender}.jsonl")
                for size in SIZES if str(size) in re.findall(r"\d+", row["instance"])}
    for size in SIZES:
        for name in ("ratio", "ratio_low", "ratio_high"):
            same(f"{contender} at {size}, compare, {name}", compared[size][name], RATIOS[size, contender][name])

SAID = {"run": text("ran.txt"), "show": text("show.txt"), "report": text("report.html")}
for size, at in zip(SIZES, ("16 B", "64 KiB")):
    best = [name for (where, name), row in RATIOS.items() if where == size and row["is_best"]]
    assert sorted(VERDICTS[at]["best"].split(", ")) == sorted(best), (size, VERDICTS[at]["best"], best)
    for name, said in SAID.items():
        # Both sizes may stand in one heading.
        sentence = re.search(r"2 ranks, mean message [^:]* \(item-bytes [^)]*\b" + at + r"\b[^)]*\): "
                             r"(?:Inconclusive: 3 launches are too few to separate|No significant difference between|"
                             r"Fastest:) ([a-z][\w-]*(?:, [a-z][\w-]*)*)(?: \(|\.|, \d)", said)
        assert sentence is not None, f"{name} says nothing of {at}"
        assert sorted(sentence[1].split(", ")) == sorted(best), (name, at, sentence[0], best)
print(len(RATIOS), "contenders agree")
