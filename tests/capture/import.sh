#!/bin/sh
# Import of others' measurements: matrices, lists, and calls as text. The messages are the same, errors are refused
# with their place, and a matrix and a trace of sst-dumpi are raced.
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
printf '0,2.5e+00\n1.0,0\n' >e.csv # as numpy writes
imported e e.csv --unit 1KiB
has e.json messages '[[0,1,2560],[1,0,1024]]'
printf 'source,destination,bytes\n2,0,7\n0,1,100\n0,1,3\n' >l.csv
imported l l.csv --ranks 4
has l.json ranks '[0,1,2,3]' messages '[[0,1,3],[0,1,100],[2,0,7]]'
# Quotes, byte order marks, blanks, and line ends of others; names that awk takes for something else.
for text in '"0","10","20"\n"1","2","3"\n"4","5","6"\n' '\357\273\2770;10;20\r\n\r\n1;2;3\r\n4;5;6\r\n' \
    '0,10,20\r1,2,3\r4,5,6' ' 0\t10 , 20 # c\n\n"1" 2 "3"\n4 5  6 \n'; do
    printf '%b' "$text" >a=b.csv
    imported q a=b.csv
    has q.json messages '[[0,1,10],[0,2,20],[1,0,1],[1,1,2],[1,2,3],[2,0,4],[2,1,5],[2,2,6]]'
done
printf '"Source","Destination","Bytes"\n"1","0","4KiB"\n' >./-q
imported q ./-q
has q.json messages '[[1,0,4096]]' ranks '[0,1]'
imported two m.csv m.csv
has two.json calls 2 origin '"csv m.csv and 1 more"'
expect 0 "$nuce" show two.capture
says stdout "imported: csv m.csv and 1 more"
"$nuce" list columns capture --format csv | tr -d '"' | tr ',' '\n' | tr -d ' ' >listed
for column in $("$nuce" show two.capture --format csv | head -n 1 | tr ',' ' '); do
    grep -qx "$column" listed || fail "nuce list columns capture: nothing of $column"
done
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
bad '0,9e99\n1,1\n' "1:3: '9e99': expected at most 16TiB"
bad '0,1.5\n1,1\n' "1:3: '1.5': expected bytes"
bad '"0","x"\r\n1,1\n' "1:6: 'x': expected bytes"
bad '0,1\r2,x\r' "2:3: 'x': expected bytes"
bad '"0,1",2\n' "1:1: '\"0,1\",2': expected one cell in a pair of quotes"
bad '0,"1\n' "1:3: '\"1': expected one cell in a pair of quotes"
bad '0,"1"2\n' "1:3: '\"1\"2': expected one cell in a pair of quotes"
bad '0,2000TiB\n1,1\n' "1:3: '2000TiB': expected at most 16TiB"
# What is read can be read again.
printf '0,16TiB\n1,1\n' >most.csv
printf 'ranks 2\n0 send 1 17592186044416 time=0:2147483648\n1 receive 0 time=0:1\n' >most.calls
for file in most.csv most.calls; do
    expect 0 "$nuce" capture import --output most.capture "$file"
    expect 0 "$nuce" show most.capture
done
# The ranks' times add up to more than a number holds: their shares are not known.
for rank in 0 1 2 3 4 5; do
    printf '%d barrier\n%d barrier time=1764400000.1:1764400000.2\n' $rank $rank
done | sed '1i ranks 6' >late.calls
imported late late.calls
says late.json '"share":null'
# A rank that polls others one after the other may send in another order the next time.
printf '%s\n' 'ranks 3' '0 probe 1 nothing' '0 probe 2 found' '0 receive 2' '0 send 2 8' '0 probe 1 found' '0 receive 1' \
    '0 send 1 8' '1 send 0 8' '1 receive 0' '2 send 0 8' '2 receive 0' >polled.calls
imported polled polled.calls
says polled.json '"quality":"epoch"'
sed -i /nothing/d polled.calls
imported polled polled.calls
! grep -q '"quality":"epoch"' polled.json || fail "probes that find their message are in epochs"
# A round that is longer than any other.
awk 'BEGIN {
    print "ranks 2\n0 receive 1 request=1"
    for (i = 0; i <= 65536; i++)
        print "0 send 1 8\n1 receive 0"
    print "1 send 0 8\n0 wait 1"
}' >long.calls
expect 0 "$nuce" capture import --output long.capture long.calls
says stderr "1 time a round of more than 65536 messages was cut: it is in epochs"
! grep -q "not captured" stderr || fail "all was captured"
# Other writers to stderr do not matter.
(
    export LD_PRELOAD=/nonexistent.so
    bad '0,1\n2,x\n' "2:3: 'x': expected bytes"
)
bad 'source,destination,bytes\n' "2:1: the file ends here"
bad 'source,destination,bytes\n0,y,3\n' "2:3: 'y': expected the destination rank"
bad 'source,destination,bytes\n0,99999999999,3\n' "2:3: '99999999999': expected the destination rank"
bad 'source,destination,bytes\n0,1\n' "2:4: the line ends here"
bad 'source,destination,bytes\n0,1,2,3\n' "2:7: the line goes on"
bad 'from,to\n' "1:1: expected a row of bytes"
bad '' "1:1: the file is empty"
bad '# nothing\n' "2:1: the file is empty"
printf 'from,to\n' >bad.txt
refuse "bad.txt: unknown format" bad.txt
refuse "from: 'otf1': expected one of calls, csv, dumpi, otf2" m.csv --from otf1
refuse "yield: only for a run" m.csv --yield
refuse "epochs: only for files with calls: m.csv has sums" m.csv --epochs
refuse "unit: only for csv files: most.calls has calls" most.calls --unit 8
refuse "m.csv:2:10: '2': the row goes on: expected 2 cells" m.csv --ranks 2
refuse "nothing.csv" nothing.csv
refuse "expected 'merge FOLDER', 'import FILE...'"

# Calls as text: the example of the documentation, and errors in a file of calls.
sed -n '/^ranks 4$/,/^```$/p' "$here/../../docs/capture-formats.md" | grep -v '^```' >c.calls
imported c c.calls
python3 - <<'END' || fail "the documented calls are of other patterns: $(cat c.json)"
import json
found = {p["kind"]: p for p in map(json.loads, open("c.json"))}
assert set(found) == {"exchange", "alltoallv", "allreduce"}, found
assert found["exchange"]["messages"] == [[0, 1, 4096], [1, 0, 64]] and found["exchange"]["quality"] == "exact"
assert found["exchange"]["duration_ns"]["max"] == 800000, found["exchange"]
assert found["alltoallv"]["messages"] == [[0, 2, 16], [2, 0, 8]] and found["alltoallv"]["ranks"] == [2, 0]
assert found["allreduce"]["moved_bytes"] == 64 and found["allreduce"]["messages"] == []
END
wrong() { # LINES PLACE-AND-MESSAGE: behind a line of two ranks
    printf 'ranks 2\ncomm one 1\ncomm lost\n%b\n' "$1" >bad.calls
    refuse "bad.calls:$2" bad.calls
}
wrong '' "5:1: no call is here"
wrong 'ranks 2' "4:7: '2': expected one line ranks"
wrong 'comm one 0' "4:6: 'one': expected another name"
wrong 'comm two 0 2' "4:12: '2': expected a rank, 0 to 1"
wrong 'comm two 0 0' "4:12: '0': expected each rank once"
wrong 'clocks two' "4:1: 'clocks': expected a rank, or host, comm or 'clocks one'"
wrong '2 send 0 1' "4:1: '2': expected a rank, 0 to 1"
wrong '0 sent 1 4' "4:3: 'sent': expected a call, such as send"
wrong '0 send 1' "4:3: 'send': expected RANK BYTES behind it"
wrong '0 send 2 4' "4:8: '2': expected a rank of the communicator, 0 to 1"
wrong '0 send 1 4KiB' "4:10: '4KiB': expected bytes, 0 to 17592186044416"
wrong '0 send 1 4 tag=any' "4:8: any tag: expected only with a receive with request="
wrong '0 receive any' "4:11: 'any': expected a rank of the communicator"
wrong '0 send 1 4 comm=two' "4:17: 'two': expected the name of a line comm"
wrong '0 send 1 4 comm=one' "4:17: 'one': expected a communicator with rank 0"
wrong '1 send 1 4 comm=one' "4:8: '1': expected a rank of the communicator, 0 to 0"
wrong '0 send 1 4 time=2:1' "4:17: '2:1': expected an end behind the begin"
wrong '0 send 1 4 time=2:x' "4:19: 'x': expected seconds"
wrong '0 send 1 4 time=0:4000000000' "4:19: '4000000000': expected seconds"
wrong '0 send 1 4 size=2' "4:12: 'size=2': expected comm=, tag=, request= or time="
wrong '0 receive any request=1\n0 wait 1=2:0' "5:10: '2': expected none, or a rank of the communicator, 0 to 1"
wrong '1 receive any request=1 comm=one\n1 wait 1=1:0' "5:10: '1': expected none, or a rank of the communicator, 0 to 0"
wrong '0 alltoallv 0:1 1' "4:18: '': expected bytes behind 'RANK:'"
wrong '0 probe 2 found' "4:9: '2': expected a rank of the communicator, 0 to 1"
wrong '0 probe 1' "4:9: '1': expected RANK found or RANK nothing"
wrong '0 probe 1 perhaps' "4:11: 'perhaps': expected RANK found or RANK nothing"
wrong '0 missed all' "4:10: 'all': expected one-sided"
wrong '0 barrier\n0 matrix 0:1' "5:3: 'matrix': expected either rows of matrices or calls"
printf '0 send 1 4\n' >bad.calls
refuse "bad.calls:1:1: '0': expected a line ranks P first" bad.calls --from calls
refuse "ranks: '3': expected 4, as in the files" c.calls --ranks 3
refuse "c.calls: expected one file of calls, 2 are given" c.calls c.calls
# A call on a communicator with unknown members is counted and reported.
printf 'ranks 2\ncomm lost\n0 send 1 4 comm=lost\n1 missed between\n1 missed partitioned\n' >lost.calls
expect 0 "$nuce" capture import --output lost.capture lost.calls
says stderr "not captured: 1 calls on communicators of unknown origin"
says stderr "not captured: 1 calls on intercommunicators"
says stderr "not captured: 1 requests of partitioned messages"

# Formats that are not read: the message names the form to give instead.
printf '\377\252\335DUMPI' >app.bin
printf 'hostname=a\nnumprocs=4\n' >app.meta
printf '\003BOTF2 and more' >app.otf2
printf '[format]\nversion = 1.0\n' >app.ptini
for text in "app.bin: dumpi is not read: expected output of 'dumpi2ascii -a' for each rank's file" \
    "app.meta: dumpi is not read: expected output of 'dumpi2ascii -a' for" \
    "app.otf2: otf2 is not read: expected output of 'otf2-print -A -C' for it" \
    "app.ptini: ptini is not read: expected lines such as '0 alltoallv 0:4096 1:8'"; do
    refuse "$text" "${text%%:*}"
done

# A trace, whose messages the test capture.convert compares.
mkdir trace
python3 "$here/make_dumpi.py" 4 trace
imported trace trace/dumpi-*.txt

# Patterns that took most time and sent no bytes: a sweep's several are those with bytes, and it notes the others.
cat >empty.calls <<'END'
ranks 3
0 send 1 0 time=0:2
1 receive 0 time=0:2
0 barrier time=2:3
1 barrier time=2:3
2 barrier time=2:3
0 send 1 64 time=4:5
1 receive 0 time=4:5
END
sed '/=4:5/d' empty.calls >none.calls
sed '/send/d; /receive/d' empty.calls >barrier.calls
for name in empty none barrier; do
    expect 0 "$nuce" capture import --output $name.capture $name.calls
done
planned() { # STATUS CAPTURE CALL [RANKS]
    cat >planned.yaml <<END
name: planned
workload: exchange
sweep: {schedule: [ac, rs-n], capture: $2.capture, call: $3}
${4:+ranks: $4}
END
    expect "$1" "$nuce" plan planned.yaml
}
for call in top-1 all; do
    planned 0 empty $call
    says stdout "call     2 (2)"
    [ "$(grep '' stderr)" = "planned.yaml:3:61: note: call: '$call': leaves out patterns whose messages have 0 bytes: 1" ] ||
        fail "$call: $(cat stderr)"
done
# So it does with patterns of other rank counts than the sweep's.
sed 's/^ranks 3/&\ncomm pair 2 0/; $a 0 alltoallv 0:16 comm=pair time=6:9\n2 alltoallv 1:8 comm=pair time=6:9' \
    empty.calls >pair.calls
expect 0 "$nuce" capture import --output pair.capture pair.calls
planned 0 pair top-3 3
[ "$(grep '' stderr)" = "planned.yaml:3:60: note: call: 'top-3' for 3 ranks: leaves out patterns whose messages have 0 bytes: 2; of \
other rank counts: 1" ] || fail "other ranks: $(cat stderr)"
planned 0 pair all
! grep -q 'other rank' stderr || fail "without ranks: $(cat stderr)"
planned 0 trace top-3
[ ! -s stderr ] || fail "notes of a capture whose patterns have bytes"
planned 2 none top-1
says stderr "none.capture has no pattern with bytes"

# Raced: a matrix, and the trace's longest pattern, exactly their bytes.
for point in "matrix 3 m" "traced 4 trace"; do
    # shellcheck disable=SC2086 # three words
    set -- $point
    cat >"$1.yaml" <<END
name: $1
workload: exchange
ranks: $2
sweep: {schedule: [ac, rs-n], capture: $3.capture}
measure: {min-samples: 3, max-samples: 3, time-limit: 10min, launches: 1}
END
    expect 0 "$nuce" run --mpiexec "$mpiexec" "$1.yaml"
    expect 0 "$nuce" query --format csv "SELECT DISTINCT r.status || ' ' || p.ranks || ' ' || json_extract(r.metrics, '\$.bytes') \
        FROM run AS r JOIN point AS p ON p.id = r.point WHERE r.campaign GLOB '$1.*'"
    tail -n +2 stdout >>raced
done
printf '%s\n' "ok 3 22528" "ok 4 1648" >wanted
cmp raced wanted || fail "what was raced: $(cat raced)"

# Pictures, and a section of the report for each raced capture, from the campaign's own copy. A file that is not a
# capture, or lacks the pattern, is refused, and nothing is drawn.
if command -v gnuplot >/dev/null; then
    expect 0 "$nuce" figure trace.capture two.capture --format svg --output drawn --call 1
    [ "$(cat stdout)" = "drawn/trace.svg
drawn/two.svg" ] || fail "what was drawn: $(cat stdout)"
    grep -q 'skew, from the first' drawn/trace.svg || fail "trace.svg has no skew"
    grep -q 'no times were measured' drawn/two.svg || fail "two.svg has times that nobody measured"
    expect 0 "$nuce" report
    grep -q '<h2>Applications</h2>' report.html || fail "the report has no applications"
    says report.html "imported: csv m.csv; bytes: "
    expect 0 "$nuce" report --campaigns elsewhere
    says stderr "no campaign in elsewhere has a copy"
    expect 2 "$nuce" figure trace.capture --call 99 --output none
    says stderr "'99': expected at most"
    # The matrix is that of the first pattern with bytes, and an empty one says that it is.
    expect 0 "$nuce" figure empty.capture none.capture --format svg --output drawn
    says drawn/empty.svg '>pattern 2 ('
    says drawn/none.svg '>no message of the capture has bytes<'
    expect 0 "$nuce" figure empty.capture --format svg --output drawn --call 1
    says drawn/empty.svg '>pattern 1 ('
    says drawn/empty.svg '>its messages have 0 bytes: --call 2'
    expect 2 "$nuce" figure barrier.capture --output none
    says stderr "barrier.capture: has no messages to draw: 'nuce show barrier.capture' lists its calls"
    expect 2 "$nuce" figure barrier.capture --output none --call 1
    says stderr "call: '1': no pattern of the capture has messages"
    expect 2 "$nuce" figure raced --output none
    says stderr "raced: expected a capture of nuce"
    [ ! -e none ] || fail "something was drawn of what was refused"
fi

# Ranks start as late as in the application. In each round no step ends before the last rank has started, and the
# point names the delays. If they are unknown, the point is refused.
cat >late.yaml <<'END'
name: late
workload: exchange
ranks: 4
sweep: {schedule: [ac, rs-n], capture: trace.capture, arrival: [together, captured]}
measure: {min-samples: 5, max-samples: 5, time-limit: 10min, launches: 1}
END
expect 0 "$nuce" run --mpiexec "$mpiexec" late.yaml
expect 0 "$nuce" query --format csv "SELECT json_extract(p.params, '\$.arrival'), json_extract(r.metrics, '\$.arrival_calls'), \
    json_extract(r.metrics, '\$.arrival_skew_s') BETWEEN 0.00065 AND 0.00085, \
    (SELECT count(*) FROM sample AS s WHERE s.run = r.id AND s.own_s < json_extract(r.metrics, '\$.arrival_skew_s')) \
    FROM run AS r JOIN point AS p ON p.id = r.point WHERE r.campaign = 'late.1' AND json_extract(r.metrics, '\$.arrival_calls') > 0 \
    AND json_extract(p.params, '\$.schedule') = 'ac' AND r.status = 'ok' LIMIT 1"
[ "$(sed -n 2p stdout)" = "captured,5,1,0" ] || fail "late ranks: $(cat stdout)"
# The model predicts only ranks that begin together (and on the CM-5 none of ac).
expect 0 "$nuce" run --modelled late.yaml
says stdout "NOT PREDICTED: the model has no time of ac, rs-n (1 of 2 points)."
expect 0 "$nuce" query --format csv "SELECT json_extract(p.params, '\$.arrival'), r.predicted_s > 0 \
    FROM run AS r JOIN point AS p ON p.id = r.point WHERE r.campaign = 'late.2' AND r.status = 'ok' \
    AND json_extract(p.params, '\$.schedule') = 'rs-n' ORDER BY 1"
[ "$(sed 1d stdout | tr '\n' ' ')" = ",1 captured, " ] || fail "late ranks by the model: $(cat stdout)"
sed 's/trace.capture/m.capture/; s/ranks: 4/ranks: 3/; s/\[together, captured\]/captured/' late.yaml >unknown.yaml
expect 2 "$nuce" run unknown.yaml
says stderr "no arrival times were measured: csv m.csv"
