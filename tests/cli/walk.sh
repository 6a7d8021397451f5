#!/bin/sh
# Steps at which new users were stopped.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# A sweep called as a table is, with a variable that is set and not set.
cat >links.yaml <<'YAML'
name: links
workload: exchange
ranks: [2]
sweep:
  schedule: [ac, rs-n]
  pattern: uniform
  degree: 1
  item-bytes: 16B
  environment: {UCX_TLS: [~, tcp]}
measure: {launches: 3}
YAML

# A key that cannot stand where it stands, with the way that works.
sed '/^measure/i\
zip: [{ranks: [2, 4], nodes: [1, 2]}]\
compare: [environment, UCX_TLS, mpi]\
exclude: [{environment: tcp}]' links.yaml >bad.yaml
refuses "bad.yaml:10:8: 'ranks' belongs beside 'sweep', and takes a list" nuce plan bad.yaml
says stderr "bad.yaml:11:11: compare: 'environment' is set when the processes start"
says stderr "'nuce compare VARIABLE=A VARIABLE=B' compares two settings"
says stderr "'nuce compare UCX_TLS=A UCX_TLS=B' compares two settings"
says stderr "'nuce compare mpi=A mpi=B' compares two settings"
says stderr "bad.yaml:12:12: 'environment' belongs under 'sweep'"

# A plan estimates the waiting time, with starts; for a simulation it says that the time is unknown. One launch
# samples no longer than several do together.
prints " and 6 starts, whose time is known after a first run; 'time mpiexec -n 2 true' is near it" nuce plan links.yaml
says stdout "at most 6.00s (measure: time-limit), without set-up"
sed 's/launches: 3/launches: 1/' links.yaml >one.yaml
prints "at most 6.00s (measure: time-limit), without set-up" nuce plan one.yaml
prints "estimate     unknown in wall time, at most " nuce plan scale-fat-tree
prints "modelled     all: nothing is run, 'nuce run --modelled' computes it" nuce plan links.yaml --modelled

# Messages as a list with commas below names, a pair several times, make a pattern.
printf 'src,dst,bytes\n0,1,10\n2,0,5\n0,1,7\n' >messages.csv
sed '/^ranks/d; s/^  pattern: .*/  com: messages.csv/; /degree\|item-bytes/d' links.yaml >list.yaml
prints "ranks    3 (4)" nuce plan list.yaml

# The user's own partition, in METIS's format; for a .msh, the output names the exchanging entities.
printf '4 3\n2\n1 3\n2 4\n3\n' >path.graph
printf '0\n1\n1\n0\n' >path.part.2
sed 's/^  pattern: .*/  mesh: path.graph\n  partition-file: path.part.2/; /degree/d' links.yaml >own.yaml
prints "partition-file path.part.2@" nuce plan own.yaml
prints '"bytes":64' "$programs/nuce-model" schedule --schedule ac --mesh path.graph --partition-file path.part.2 \
    --ranks 2 --item-bytes 16 --format json
printf '0\n1\n2\n0\n' >path.part.2
refuses "path.part.2:3:1: 2 is out of range; expected the part of a node, 0 to 1" nuce plan own.yaml
printf '0\n0\n0\n0\n' >path.part.2
refuses "path.part.2: no node is in part 1 of 0 to 1" nuce plan own.yaml
gzip -dc "$work/share/nuce/configs/meshes/wing-2800.msh.gz" >wing.msh
sed 's/path.graph/wing.msh/; /partition-file/d' own.yaml >wing.yaml
expect 0 nuce plan wing.yaml
says stderr "note: mesh: its nodes exchange, along the edges of elements; for ghost cells give graph: dual"

# The graph of its cells is another problem, also by name; a file that holds a graph has no cells.
sed 's/^  mesh: .*/&\n  graph: [nodal, dual]/; s/^name: .*/name: cells/; /environment/d; s/launches: 3/launches: 1/' wing.yaml >cells.yaml
expect 0 launch run cells.yaml
prints ' nodal kway, 2 ranks' nuce show cells.1
says stdout ' dual kway, 2 ranks'
prints 'problems 2' nuce query "SELECT 'problems ' || count(DISTINCT race) FROM run WHERE campaign = 'cells.1'"
sed 's/^  mesh: .*/&\n  graph: dual/' own.yaml >dual.yaml
refuses "path.graph: a graph already, without cells; expected graph: nodal" nuce plan dual.yaml

# A campaign comes before a table of its name that has no rows of it.
expect 0 launch run links.yaml
prints "links: " nuce show links
says stdout "rs-n"
prints " for 6 starts, as in campaigns/links.1" nuce plan links.yaml
gives_up "run 'nuce run arrays-figure16 --modelled' (5 points, by the model)" nuce table arrays-figure16
prints "links: " nuce table links
says stderr "note: 'links' of 'nuce list figures' has no rows of the newest campaign of that name: these are its races; 'nuce run links'"
gives_up "links: no rows for it of campaign links.1" nuce table links --campaign links.1

# The user's own figure: time over ranks, a title, a size, some contenders; a query and a script outside nuce's
# folder.
if command -v gnuplot >/dev/null; then
    sed 's/^name: .*/name: over/; s/^ranks: .*/ranks: [2, 4]/; /environment/d; s/rs-n/lp, rs-n/' links.yaml >over.yaml
    expect 0 launch run over.yaml
    prints "exchange uniform d = 1, " nuce table scaling --campaign over
    prints figures/scaling.svg nuce figure scaling --campaign over --contenders ac,rs-n --title 'My own' \
        --size 800x500 --format svg
    grep -q 'My own' figures/scaling.svg || fail "no title"
    grep -q 'width="800" height="500"' figures/scaling.svg || fail "another size"
    grep -q 'rs-n' figures/scaling.svg || fail "a contender is missing"
    ! grep -q '>lp<' figures/scaling.svg || fail "a contender is there that was not asked for"
    refuses "size '5x5': expected such as 960x600" nuce figure scaling --campaign over --size 5x5 --format svg
    refuses "size '960x600z': expected such as 960x600" nuce figure scaling --campaign over --size 960x600z
    refuses "all: --plots, --title and --size" nuce figure all --title X
    mkdir mine
    sed 's/^-- title: .*/-- title: Of my own/' "$work/share/nuce/plots/scaling.sql" >mine/own.sql
    cp "$work/share/nuce/plots/scaling.gp" mine/own.gp
    prints figures/own.svg nuce figure own --plots mine --campaign over --format svg
    grep -q 'Of my own' figures/own.svg || fail "another figure"
    refuses "mine/nosuch.sql: " nuce figure nosuch --plots mine
fi

# Each heading and each line shows the swept key, even if it is not set; no hash of an environment replaces it.
prints "exchange uniform d = 1, UCX_TLS not set, 2 ranks, " nuce show links
says stdout "exchange uniform d = 1, UCX_TLS tcp, 2 ranks, "
point=$(sed -n 's/.*"launch":{"UCX_TLS":null}.*"point":"\([0-9a-f]\{12\}\).*/\1/p' campaigns/links.1/plan.jsonl |
    head -n 1)
prints ", UCX_TLS not set, " nuce explain "$point"
sed 's/^name: .*/name: libraries/; s/UCX_TLS: .*/FAKE_LIBRARY: [~, other]}/' links.yaml >libraries.yaml
expect 0 launch run libraries.yaml --database libraries.db
prints "FAKE_LIBRARY not set, 2 ranks, " nuce show libraries --database libraries.db
says stdout "FAKE_LIBRARY other, 2 ranks, "
! grep -q "ranks, environment " "$work/stdout" || fail "a hash stands for what was set"

# A figure that cannot be drawn does not keep the others from it.
if command -v gnuplot >/dev/null; then
    expect 1 nuce figure quick timeline links.1 --format svg
    same "drawn" "$(tr '\n' ' ' <"$work/stdout")" "figures/quick.svg figures/links.1.svg "
    says stderr "timeline: no rows for it"
    prints figures/links.svg nuce figure links --format svg
    says stderr "note: 'links' of 'nuce list figures' has no rows"
    expect 2 nuce figure nosuch quick timeline --format svg
    same "drawn" "$(cat "$work/stdout")" "figures/quick.svg"
fi

# Samples are in rows with their contender, mesh and size, without a join; ids are texts.
prints "campaign,launch,kind,workload,contender,ranks,mesh,item_bytes,problem,round,place,seconds," \
    nuce export samples --campaign links
same "samples" "$(grep -c '^links.1,.*,exchange,rs-n,2,,16,"{""UCX_TLS"":""tcp""' "$work/stdout")" 6
same "ids" "$(value "SELECT group_concat(DISTINCT typeof(run)) FROM samples")" text

# A collective that ran in its nonblocking form is named as such at the run and below tables.
sed 's/^name: .*/name: library/; s/rs-n/alltoallv/' links.yaml >library.yaml
expect 0 launch run library.yaml --database none.db
edit_records '/"record":"run"/{/"schedule":"alltoallv"/s/"params":/"metrics":{"nonblocking":1},&/}' campaigns/library.1/records/*.jsonl
prints "NONBLOCKING: alltoallv (as MPI_Ialltoallv), since ranks yield" nuce collect library --database library.db
prints "alltoallv (as MPI_Ialltoallv), since ranks yield while they wait" nuce show library --wide --database library.db
nuce compare 'UCX_TLS=~' UCX_TLS=tcp --database library.db >"$work/stdout" || [ $? = 3 ] || fail "nothing is compared"
says stdout "NONBLOCKING: alltoallv (as MPI_Ialltoallv), since ranks yield while they wait: "

# A campaign keeps its plan: a note says if the sweep file has another contender.
expect 0 launch resume links
! grep -q note "$work/stderr" || fail "a sweep that is the same is told of"
sed -i 's/rs-n/&, lp/' links.yaml
expect 0 launch resume links
says stderr "note: links.yaml has changed since links.1 was made, which keeps its plan; to run the new points: nuce run links.yaml --into links.1"

# It joins the campaign: only it races the reference again, and the fastest, in launches of its own.
refuses "show: 'links.1,links.9': expected campaigns" nuce show links.1,links.9
refuses "into: 'cells.1': has all points of cells.yaml: expected another contender" nuce run cells.yaml --into cells.1
refuses "expected a campaign of 'nuce submit'" nuce submit links.yaml --into links.1 --dry-run
sed 's/\[ac, rs-n, lp\]/[lp, ac]/' links.yaml >other.yaml
refuses "reference: not that of links.1: expected the same" nuce run other.yaml --into links.1
refuses "into: 'links.1': not in library.db, which knows the fastest: run 'nuce collect links.1'" \
    nuce run links.yaml --into links.1 --database library.db
refuses "into: nowhere.db: no database yet" nuce run links.yaml --into links.1 --database nowhere.db
[ ! -e campaigns/links.2 ] || fail "a campaign was made"
expect 0 launch run links.yaml --into links.1
says stderr "look: nuce show links.1,links.2: all contenders"
same "the plan of links.2" "$(grep -c '"schedule":"lp"' campaigns/links.2/plan.jsonl)" 2
same "its references" "$(grep -c '"schedule":"ac"' campaigns/links.2/plan.jsonl)" 2
prints "lp" nuce show links.1,links.2
says stdout "rs-n"
prints "links.1,links.2: " nuce table links.1,links.2

# Why a contender is slower: its differences from the reference.
real_kernel nuce-exchange
cat >why.yaml <<'YAML'
name: why
workload: exchange
ranks: 3
sweep: {schedule: [ac, lp, rs-n], pattern: uniform, degree: 2, item-bytes: [64B, 1KiB], network: cm5}
measure: {launches: 2, min-samples: 3, max-samples: 3, time-limit: 10min}
YAML
expect 0 nuce run why.yaml
prints "contender" nuce explain why lp
same "sizes, as nuce show has them" "$(sed -n 's/.*item-bytes \([0-9]*\),.*/\1/p' "$work/stdout" | tr '\n' ' ')" "64 1024 "
nuce list columns explain >listed
sed -n 2p "$work/stdout" | tr -s ' ' '\n' | sed '/^$/d' >shown
[ -s shown ] || fail "no columns: $(cat "$work/stdout")"
while read -r column; do
    grep -qE "^explain +$column " listed || fail "nuce list columns explain: nothing of $column"
done <shown
# Only by its verdict: without a slower contender the phases say nothing, and one launch has no interval.
grep -qE "^(lp is (slower|faster) than ac, |lp and ac differ by no more than 5 %, |Inconclusive: lp to ac, )[0-9.]+x" \
    "$work/stdout" || fail "no sentence: $(cat "$work/stdout")"
grep -q "^lp is" "$work/stdout" || ! grep -q "^Where: \|^Differs: " "$work/stdout" || fail "a reason for no difference"
# Sentences that hold for both sizes are printed once, below them.
python3 "$here/remake.py" why.1 <<'PYTHON'
def change(r):
    factor = {"ac": 1, "lp": 1.5, "rs-n": 1}[r["params"]["schedule"]]
    for times in [r["samples"], r.get("duplicate", {})]:
        times.update({part: [1e-3 * factor] * 3 for part in times if part != "place"})
    r.pop("too_short", None)
    r["metrics"].update(last_step_s=1e-3 * factor, last_communication_s=1e-3 * factor, last_late_s=0, last_other_s=0)
PYTHON
expect 0 nuce collect why.1 --database once.db
prints "lp is slower than ac, 1.50x." nuce explain why lp --database once.db
same "sentences of two races" "$(sed -n 's/^\(Where\|Differs\|Next\): .*/\1/p' "$work/stdout" | tr '\n' ' ')" "Where Where Differs Next "
says stdout "Differs: both send the same bytes in 6 transfers; lp has "
says stdout "'nuce figure timeline --contenders lp' draws those of lp."
sed -i 's/name: why/name: once/; s/launches: 2/launches: 1/' why.yaml
expect 0 nuce run why.yaml
prints "Inconclusive: lp to ac, " nuce explain once lp
says stdout "Next: more launches, on an idle machine."
! grep -q "^Where: \|^Differs: " "$work/stdout" || fail "a reason for no difference"
! grep -qF '[0.00' "$work/stdout" || fail "an interval of one launch"
prints "contender" nuce explain why lp
grep -qE '^ac +1 \(reference\) +1 +6 ' "$work/stdout" || fail "the reference has no row"
! grep -q '^rs-n' "$work/stdout" || fail "a contender that was not asked for is explained"
refuses "'ac': expected a contender that raced with a reference in why: lp,rs-n" nuce explain why ac
cp "$programs/nuce-fake" "$work/bin/nuce-exchange"

# A sweep's name is that of its newest campaign, for each subcommand.
expect 0 nuce collect links
says stderr "look: nuce show links.2"
expect 0 nuce compare 'UCX_TLS=~' UCX_TLS=tcp --campaign links
prints "  links.2.tar.gz" nuce bundle links

# By default the campaign that has jobs is cancelled; if several have jobs, none.
fake_slurm
for name in first second third; do
    small "$name"
    expect 0 nuce submit "$name.yaml"
done
prints "others       first.1, second.1: have jobs too" nuce status
refuses "several campaigns have jobs, such as first.1, second.1 and third.1: expected one of them" nuce cancel
expect 0 nuce cancel second
expect 0 nuce cancel third
prints "campaign     campaigns/first.1" nuce status
prints "campaigns/first.1: 2 jobs cancelled, 0 left" nuce cancel

# Why Slurm refused a job is known later, too.
echo "sbatch: error: Batch job submission failed: Invalid account" >"$FAKE_SLURM/sbatch-fails"
small refused
gives_up "Invalid account" nuce submit refused.yaml
rm "$FAKE_SLURM/sbatch-fails"
prints "refused      by Slurm, the last time: sbatch ended with status 1: sbatch: error: Batch job" nuce status refused
expect 0 nuce resume refused
expect 0 nuce status refused
! grep -q '^refused' "$work/stdout" || fail "a job that was accepted counts as refused"

# A Slurm that exists and fails is not reported as missing.
for program in sbatch scontrol; do
    rm "$work/bin/$program"
    printf '#!/bin/sh\necho "fatal: Could not establish a configuration source" >&2\nexit 1\n' |
        program "$work/bin/$program"
done
nuce doctor --format csv >"$work/stdout" || true
says stdout "slurm,wrong,sbatch --version fails: fatal: Could not establish a configuration source"
says stdout "slurm-controller,wrong,scontrol --version fails: "

# A cluster of this folder is not another folder's.
if [ "$(id -u)" -eq 0 ]; then
    expect 2 env -u NUCE_CLUSTER "$here/../../slurm/virtual/cluster" squeue
    grep -qE "'nuce-[A-Za-z0-9]+-[0-9]+' is not up" "$work/stderr" || fail "the name has no folder in it"
fi
