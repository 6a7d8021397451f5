#!/bin/sh
# What others measured, imported: a matrix and a list; the messages are theirs, bad files are refused
# where they are wrong, and a matrix is raced.
# shellcheck source=tests/capture/importing.sh
. "$2/importing.sh"

# Matrices and lists.
printf '# bytes\n0, 4KiB, 2\n1;0;0\n5\t5\t5\n\n' >m.csv
imported m m.csv
has m.json kind '"matrix"' quality '"merged"' origin '"csv m.csv"' calls 1 ranks '[0,1,2]' \
    arrival_ns '[null,null,null]' share null \
    messages '[[0,1,4096],[0,2,2],[1,0,1],[2,0,5],[2,1,5],[2,2,5]]'
imported m m.csv --unit 1KiB
has m.json messages '[[0,1,4096],[0,2,2048],[1,0,1024],[2,0,5120],[2,1,5120],[2,2,5120]]'
printf 'source,destination,bytes\n2,0,7\n0,1,100\n0,1,3\n' >l.csv
imported l l.csv --ranks 4
has l.json ranks '[0,1,2,3]' messages '[[0,1,3],[0,1,100],[2,0,7]]'
imported two m.csv m.csv
has two.json calls 2 origin '"csv m.csv and 1 more"'
expect 0 "$nuce" show two.capture
says stdout "imported: csv m.csv and 1 more"
bad() { # TEXT OF-THE-FILE MESSAGE
    printf '%b' "$1" >bad.csv
    refuse "bad.csv:$2" bad.csv
}
bad '0,1\n2,x\n' "2:3: 'x': expected bytes, such as 4096 or 4KiB"
bad '0,1\n2\n' "2:2: the row ends after 1 cells: expected 2"
bad '0,1\n2,3,4\n' "2:5: '4': the row goes on: expected 2 cells"
bad '0,1\n' "2:1: the file ends after 1 rows: expected 2"
bad '0,1\n2,3\n4,5\n' "3:1: row 3: expected 2 rows"
bad '0,,1\n' "1:3: an empty cell"
bad '0,1,\n' "1:5: the line ends behind a separator"
bad '0,-1\n1,1\n' "1:3: '-1': expected bytes"
bad '0,9e99\n1,1\n' "1:3: '9e99': expected bytes"
bad '0,2000TiB\n1,1\n' "1:3: '2000TiB': expected at most 1024TiB"
bad 'source,destination,bytes\n' "2:1: the file ends here"
bad 'source,destination,bytes\n0,y,3\n' "2:3: 'y': expected the destination rank"
bad 'source,destination,bytes\n0,99999999999,3\n' "2:3: '99999999999': expected the destination rank"
bad 'source,destination,bytes\n0,1\n' "2:4: the line ends here"
bad 'source,destination,bytes\n0,1,2,3\n' "2:7: the line goes on"
printf 'from,to\n' >bad.csv
refuse "bad.csv: of no format that is known" bad.csv
refuse "bad.csv:1:1: expected a row of bytes" bad.csv --from csv
: >empty.csv
refuse "empty.csv:1:1: the file is empty" empty.csv --from csv
refuse "from: 'otf1': expected one of csv" m.csv --from otf1
refuse "m.csv:2:10: '2': the row goes on: expected 2 cells" m.csv --ranks 2
refuse "nothing.csv" nothing.csv
refuse "expected 'merge FOLDER', 'import FILE...'"

# Raced: a matrix, exactly its bytes.
for point in "matrix 3 m"; do
    # shellcheck disable=SC2086 # three words
    set -- $point
    cat >"$1.yaml" <<END
name: $1
workload: exchange
ranks: $2
sweep: {schedule: [ac, rs-n], capture: $3.capture}
measure: {min: 3, max: 3, limit: 10min, launches: 1}
END
    expect 0 "$nuce" run --mpiexec "$mpiexec" "$1.yaml"
    expect 0 "$nuce" query --format csv "SELECT DISTINCT r.status || ' ' || p.ranks || ' ' || (r.found ->> '\$.bytes') \
        FROM run AS r JOIN point AS p ON p.id = r.point WHERE r.campaign GLOB '$1.*'"
    tail -n +2 stdout >>raced
done
printf '%s\n' "ok 3 22528" >wanted
cmp raced wanted || fail "what was raced: $(cat raced)"

# Pictures, and a section of the report for what was raced: the campaign's own copy. What is no capture, or
# has no such pattern, is refused, and nothing is drawn.
if command -v gnuplot >/dev/null; then
    expect 0 "$nuce" figure m.capture two.capture --format svg --output drawn --call 1
    [ "$(cat stdout)" = "drawn/m.svg
drawn/two.svg" ] || fail "what was drawn: $(cat stdout)"
    grep -q 'no times were measured' drawn/two.svg || fail "two.svg has times that nobody measured"
    expect 0 "$nuce" report
    grep -q '<h2>Applications</h2>' report.html || fail "the report has no applications"
    says report.html "imported: csv m.csv; of the bytes"
    expect 0 "$nuce" report --campaigns elsewhere
    says stderr "no campaign in elsewhere keeps it"
    expect 2 "$nuce" figure m.capture --call 99 --output none
    says stderr "'99': expected at most"
    expect 2 "$nuce" figure raced --output none
    says stderr "raced: expected a capture of nuce"
    [ ! -e none ] || fail "something was drawn of what was refused"
fi

# Ranks that come as late as they did: where nobody knows, it is refused.
cat >unknown.yaml <<'EOF'
name: late
workload: exchange
ranks: 3
sweep: {schedule: [ac, rs-n], capture: m.capture, arrival: captured}
measure: {min: 5, max: 5, limit: 10min, launches: 1}
EOF
expect 2 "$nuce" run unknown.yaml
says stderr "nobody measured who came how late: csv m.csv"
