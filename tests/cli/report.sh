#!/bin/sh
# nuce report: one page that needs nothing else, whatever stands in the database.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
# shellcheck source=tests/cli/report_rows.sh
. "$2/report_rows.sh"

for needed in gnuplot python3; do
    command -v "$needed" >/dev/null || {
        echo "skipped: $needed is not installed" >&2
        exit 77
    }
done

# check FILE TEXT...: the page is sound and says each text.
check() {
    python3 "$here/check_page.py" "$@" || fail "the page $1"
}

# Without a database, without rows, and where no page can be.
expect 2 nuce report --database none.db
refuses "--output" nuce report --output nowhere/report.html
expect 2 nuce report --output .
[ ! -e report.html ] || fail "a page of nothing"

make_rows rows.db
expect 0 nuce report --database rows.db
same "what it prints" "$(cat "$work/stdout")" report.html
says stderr "Fastest: rs-nh, 0.49x to 0.51x the time of lp."
says stderr "Slower than the fastest; ratio to lp: rs-n 0.53x to 0.55x."
same "what is left beside it" "$(find . -maxdepth 1 -name '.*.new' | wc -l)" 0
check report.html 'Irregular Personalized Communication on Distributed Memory Machines' \
    'Block-Cyclic Redistribution over Heterogeneous Networks' 'nuce run exchange-table7' \
    'Every run ended well.' 'rs-nh' 'The order of the algorithms' 'rb 5750 (5750)' 'Not measured here:' \
    'Table 5: gain of xy2 over rb2, latency 0' 'cardinality of bm below that of rm and sm' \
    'Mapping: what the paper states' 'Exchange: which schedules are fastest' \
    'The machine was BUSY: other load took up to 1.0 of 2 processors in' \
    'Redistribution: which schedules are fastest'
for part in plot-quick sql-quick plot-exchange-table5 plot-redistribution-claims sweep-exchange-table5 \
    plot-arrays-figure16 environments missing; do
    grep -q " id=\"$part\"" report.html || fail "the page has no $part"
done
[ "$(grep -c '<img alt="' report.html)" -gt 0 ] || fail "the page has no picture"
cp report.html first.html
expect 0 nuce report --database rows.db
cmp -s first.html report.html || fail "the same rows give another page"

# One campaign alone.
expect 0 nuce report drawn.1 --database rows.db --output one.html
check one.html 'drawn.1 only'
grep -q 'id="plot-quick"' one.html || fail "the campaign's own plot is missing"
grep -q 'id="plot-arrays-figure16"' one.html && fail "another campaign's plot is there"
expect 2 nuce report drawn.1 --campaign drawn.1 --database rows.db
refuses "'drawn.2' is not in rows.db" nuce report --database rows.db --campaign drawn.2
expect 0 nuce table quick --database rows.db --campaign drawn.1 --format csv
same "rows of the campaign" "$(wc -l <"$work/stdout")" 13
expect 2 nuce table quick --database rows.db --campaign "x' OR '1"

# The check itself finds faults.
for wrong in '<a href="#none">x</a>' '<p>' '<img src="http://elsewhere/x.png"/>' '<p id="missing"></p>' \
    '<script>1</script>' '<img alt="x" src="data:image/svg+xml,%3Csvg>"/>' \
    '<img src="data:image/svg+xml,%3Csvg/>"/>' '<p onclick="x">x</p>'; do
    sed "s|</main>|$wrong</main>|" one.html >broken.html
    python3 "$here/check_page.py" broken.html 2>"$work/stderr" && fail "the check passes $wrong"
done
python3 "$here/check_page.py" one.html 'what it does not say' 2>"$work/stderr" &&
    fail "the check finds any text"

# Hostile text is text.
cp rows.db hostile.db
make_hostile hostile.db
expect 0 nuce report --database hostile.db --output hostile.html
check hostile.html "$hostile_text" "drawn.1$hostile_text" '2 did not end well'
expect 0 nuce report --database hostile.db --output hostile-one.html --campaign "drawn.1$hostile_text"
check hostile-one.html "drawn.1$hostile_text only"

# Being interrupted is not a failure.
cp -r campaigns kept
edit_records '0,/"status":"ok"/s//"status":"interrupted"/' campaigns/drawn.1/records/0001.jsonl
expect 0 nuce collect drawn.1 --database stopped.db
expect 0 nuce report --database stopped.db --output stopped.html
check stopped.html '1 interrupted, all others ended well.' 'Runs that did not end well or were interrupted'
rm -r campaigns
mv kept campaigns

# If one plot fails, the page is still written, but the exit status is 1.
mkdir "$work/bin/none"
printf '#!/bin/sh\nexit 3\n' | program "$work/bin/none/gnuplot"
before=$PATH
PATH="$work/bin/none:$PATH"
expect 1 nuce report --database rows.db --output undrawn.html
PATH=$before
says stderr "gnuplot failed"
check undrawn.html 'gnuplot failed'
grep -q 'id="plot-arrays-figure16"' undrawn.html || fail "the table went with the figure"

# Nothing that a plot could show.
edit_records 's/"status":"ok"/"status":"corrupt"/' campaigns/drawn.1/records/*.jsonl
rm -r campaigns/[!d]*
expect 0 nuce collect --database nothing.db
gives_up "nothing to report" nuce report --database nothing.db --output nothing.html
[ ! -e nothing.html ] || fail "a page of nothing"
