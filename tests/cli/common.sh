# Sourced by the tests: a folder of its own with nuce, a fake kernel beside it, and checks.
# Called with the folder of the built programs and this folder.
set -eu

programs=$1
here=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/share" "$work/here"
cp "$programs/nuce" "$work/bin/nuce"
cp "$programs/nuce-fake" "$work/bin/nuce-exchange"
ln -s "$programs/../share/nuce" "$work/share/nuce"
ln -s "$programs/../libexec" "$work/libexec"
cd "$work/here"
export FAKE_PID="$work/pid"

nuce() {
    "$work/bin/nuce" "$@"
}

# run ARGUMENT...: nuce run or resume with the fake launcher.
launch() {
    subcommand=$1
    shift
    "$work/bin/nuce" "$subcommand" --mpiexec "$here/fake-mpiexec" "$@"
}

# real_kernel PROGRAM: nuce finds this one beside it instead of the fake; mpiexec is the real one.
real_kernel() {
    cp "$programs/$1" "$work/bin/nuce-exchange"
}

# fake_slurm: Slurm's programs are stand-ins, and ranks are started by one for srun.
fake_slurm() {
    export FAKE_SLURM="$work/slurm"
    mkdir "$FAKE_SLURM"
    for program in sbatch squeue scancel scontrol; do
        cp "$here/fake-slurm" "$work/bin/$program"
    done
    cp "$here/fake-srun" "$work/bin/srun"
    cp "$programs/nuce-job" "$work/bin/nuce-job"
    PATH="$work/bin:$PATH"
    export PATH
}

# program FILE: an executable of the lines on stdin.
program() {
    cat >"$1"
    chmod +x "$1"
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# expect STATUS COMMAND...: runs it; stdout and stderr go to files of these names.
expect() {
    wanted=$1
    shift
    status=0
    "$@" >"$work/stdout" 2>"$work/stderr" || status=$?
    if [ "$status" -ne "$wanted" ]; then
        cat "$work/stdout" "$work/stderr" >&2
        fail "$* ended with $status, expected $wanted"
    fi
}

# says FILE TEXT: FILE (stdout or stderr) has a line with TEXT.
says() {
    grep -qF -- "$2" "$work/$1" || {
        cat "$work/$1" >&2
        fail "$1 does not say: $2"
    }
}

# tells TEXT: stdout has it, wherever its lines are broken.
tells() {
    tr '\n' ' ' <"$work/stdout" | grep -qF -- "$1" || {
        cat "$work/stdout" >&2
        fail "stdout does not tell: $1"
    }
}

# prints TEXT COMMAND...: it ends well and says TEXT on stdout; refuses: it ends with 2 and says it on stderr, as
# of bad input; gives_up: with 1.
prints() {
    wanted_text=$1
    shift
    expect 0 "$@"
    says stdout "$wanted_text"
}

refuses() {
    wanted_text=$1
    shift
    expect 2 "$@"
    says stderr "$wanted_text"
}

gives_up() {
    wanted_text=$1
    shift
    expect 1 "$@"
    says stderr "$wanted_text"
}

# same WHAT GOT WANTED
same() {
    [ "$2" = "$3" ] || fail "$1: $2, expected $3"
}

# small NAME: a sweep of 12 points that needs no files.
small() {
    cat >"$1.yaml" <<EOF
name: $1
workload: exchange
ranks: [2, 3]
sweep:
  schedule: [ac, rs-n]
  pattern: uniform
  degree: 2
  item-bytes: [16B, 32B, 64B]
measure: {launches: 1}
EOF
}

# ok_runs CAMPAIGN: how many runs ended well; ok_points: of how many different points.
ok_runs() {
    cat "$1"/records/*.jsonl | grep '"record":"run"' | grep -c '"status":"ok"' || true
}

ok_points() {
    cat "$1"/records/*.jsonl | grep '"record":"run"' | grep '"status":"ok"' |
        sed 's/.*"point":"\([0-9a-f]*\)".*/\1/' | sort -u | wc -l
}

# edit_records SED-EXPRESSION FILE...: edits lines of records, which get their checksums again.
edit_records() {
    expression=$1
    shift
    sed -i "$expression" "$@"
    python3 "$here/seal.py" "$@"
}

# dump DATABASE: all rows of all tables, in one start, and of the view that plots read.
dump() {
    python3 - "$1" <<'PYTHON' || fail "no tables in $1"
import sqlite3, sys
database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
assert tables
for table in tables:
    print(table)
    print(*sorted(map(repr, database.execute(f'SELECT * FROM "{table}"'))), sep="\n")
PYTHON
    nuce query "SELECT * FROM result" --database "$1" --format csv | sort
}

# value SQL [DATABASE]: the one value that it gives.
value() {
    nuce query "$1" --database "${2:-nuce.db}" --format csv | tail -n 1
}

# column NAME: of the comparison that was printed as CSV last, a line per point.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR > 1 { print $at }' \
        "$work/stdout"
}
