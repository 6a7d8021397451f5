# Sourced by the tests of nuce report, after common.sh: rows of every workload and hostile ones.

# Programs of other names are the fake kernel as well: it writes rows of any workload. The name of
# nuce-calibrate's comes before its options.
fake_programs() {
    for program in nuce-redistribute nuce-stencil; do
        cp "$programs/nuce-fake" "$work/bin/$program"
    done
    printf '#!/bin/sh\nshift\nexec "%s/bin/nuce-exchange" "$@"\n' "$work" | program "$work/bin/nuce-calibrate"
    cp "$programs/nuce-model" "$work/bin/nuce-model"
}

# sweep NAME WORKLOAD RANKS: the swept keys are on stdin.
sweep() {
    {
        printf 'name: %s\nworkload: %s\nranks: %s\nsweep:\n' "$1" "$2" "$3"
        cat
    } >"$1.yaml"
}

# make_rows DATABASE: measured rows (synthetic) and modelled ones.
make_rows() {
    fake_programs
    small drawn
    sweep exchanged exchange 32 <<EOF
  schedule: [ac, lp, rs-n, rs-nh]
  pattern: uniform
  degree: 8
  item-bytes: [256B, 4KiB]
  instances: 2
EOF
    sweep received contention 4 <<EOF
  direction: to-one
  size: 4KiB
  partners: [1, 3]
EOF
    sweep permuted permutations 4 <<EOF
  permutation: random
  size: 1KiB
  count: 20
EOF
    sweep redistributed redistribute 4 <<EOF
  schedule: [direct, greedy]
  elements: 100000
  block: 2
  factor: [2, 3]
  bandwidth: 10e6..200e6
  instances: 2
EOF
    sweep cut stencil 4 <<EOF
  decomposition: [grid, xy2]
  rows: 100
  columns: 100
  iterations: 2
EOF
    sweep compared stencil 4 <<EOF
  decomposition: [rb2, xy2, tile]
  rows: 1000
  columns: [1000, 2000]
  ratio: [1, 2]
  samples: 3
EOF
    sweep mapped mapping '[16, 64]' <<EOF
  placement: [rm, sm, bm]
  instances: 2
EOF
    for name in drawn exchanged received permuted redistributed cut; do
        export FAKE_OTHERS=0
        [ "$name" != exchanged ] || FAKE_OTHERS=1
        expect 0 launch run "$name.yaml" --database "$1"
    done
    for name in exchanged redistributed compared mapped arrays-figure16; do
        case $name in *-*) config=$name ;; *) config=$name.yaml ;; esac
        expect 0 nuce run "$config" --modelled --database "$1"
    done
}

# Text that would be markup, or a script, if it were not escaped.
hostile_text="<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;"

# make_hostile DATABASE: it stands wherever records bring text into the database.
make_hostile() {
    python3 - "$1" "$hostile_text" <<'EOF'
import json
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
text = sys.argv[2]
database.execute("UPDATE run SET campaign = campaign || ? WHERE campaign LIKE 'drawn.%'", (text,))
database.execute("UPDATE job SET campaign = campaign || ? WHERE campaign LIKE 'drawn.%'", (text,))
database.execute("UPDATE campaign SET id = id || ?, name = ? WHERE id LIKE 'drawn.%'", (text, text))
database.execute("UPDATE run SET status = 'failed', message = ? WHERE id IN"
                 " (SELECT id FROM run WHERE campaign LIKE 'exchanged.%' LIMIT 2)", (text,))
database.execute("UPDATE job SET facts = ?", (json.dumps({"hosts": [text, "b"], text: text}),))
database.execute("UPDATE environment SET described = json_set(described, '$.processor', ?,"
                 " '$.mpi', json(?), '$.list', json(?))",
                 (text, json.dumps({"library": text}), json.dumps([text])))
database.commit()
EOF
}
