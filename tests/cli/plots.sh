#!/bin/sh
# nuce table and figure: without data they name the sweep; pictures have the format of their names; no corrupt run is
# in them.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

command -v gnuplot >/dev/null || {
    echo "skipped: gnuplot is not installed" >&2
    exit 77
}
small drawn
expect 0 launch run drawn.yaml --database drawn.db
for subcommand in table figure; do
    gives_up "run 'nuce run exchange-table7'" nuce $subcommand exchange-figure16 --database drawn.db
    refuses "did you mean 'quick'?" nuce $subcommand quik
done
[ ! -e figures ] || fail "a figure without data has made a folder"

expect 0 nuce table quick --database drawn.db --format csv
same "rows" "$(wc -l <"$work/stdout")" 13
prints "rs-n" nuce table quick --database drawn.db

# begins FILE BYTES
begins() {
    same "beginning of $1" "$(head -c "${#2}" "$1")" "$2"
}
expect 0 nuce figure quick --database drawn.db
same "files" "$(cat "$work/stdout")" "$(printf 'figures/quick.%s\n' png svg pdf)"
same "beginning of the PNG" "$(head -c 8 figures/quick.png | od -An -tx1 | tr -d ' ')" 89504e470d0a1a0a
begins figures/quick.svg '<?xml'
grep -q '<svg' figures/quick.svg || fail "no svg element"
begins figures/quick.pdf '%PDF-'
same "files left" "$(find figures -type f | wc -l)" 3
expect 0 nuce figure quick --database drawn.db --output other --format svg
same "files" "$(cat "$work/stdout")" other/quick.svg

# A user's settings of gnuplot change nothing: variables, start-up files, the locale.
mkdir -p own/.config/gnuplot
for file in own/.gnuplot own/.config/gnuplot/gnuplotrc own/gnuplot.cfg; do
    printf 'set decimalsign ","\nset encoding iso_8859_1\nset samples 3\nset terminal x11\nexit status 9\n' >"$file"
done
# drawn_with NAME=VALUE...
drawn_with() {
    expect 0 env "$@" "$programs/nuce" figure quick --database drawn.db --output set --format svg
    cmp other/quick.svg set/quick.svg || fail "$*: another figure"
}
drawn_with GNUTERM=x11 GNUPLOT_LIB="$work/own" GNUPLOT_FONTPATH=/none GNUPLOT_DEFAULT_GDFONT=none GDFONTPATH=/none \
    FIT_LOG="$work/own" FIT_SCRIPT=false PAGER=false LINES=1 COLUMNS=1 LC_ALL=C
drawn_with GNUTERM=xyzzy LC_ALL=de_DE.UTF-8 HOME="$work/own" XDG_CONFIG_HOME="$work/own/.config"
drawn_with GNUTERM='png size 9,9' LC_NUMERIC=de_DE.UTF-8 LANG=tr_TR

# Points with PAPI events did not race, and a message names the events that could not be counted.
cp -r campaigns counted
counter='{"event":"PAPI_X","part":"communication","value":null}'
edit_records "/\"samples\"/s/\"campaign\":\"[^\"]*\"/&,\"counters\":[$counter]/" counted/drawn.1/records/*.jsonl
expect 0 nuce collect --campaigns counted --database counted.db
expect 0 nuce table quick --database counted.db
says stdout "12 points were counted with PAPI and did not race; PAPI could not count PAPI_X"

# A long caution, of forty such events: below the figure in lines of letters as large as those of a short one, all of
# them on the picture and apart.
names=$(seq -f 'PAPI_EVENT_%g' 40)
counters=$(for name in $names; do printf '{"event":"%s","part":"communication","value":null},' "$name"; done)
edit_records "s/$counter/${counters%,}/" counted/drawn.1/records/*.jsonl
expect 0 nuce collect --campaigns counted --database long.db
for name in quick scaling; do
    for of in counted long; do
        expect 0 nuce figure $name --database $of.db --output $of --format svg
    done
    python3 - $name <<'PYTHON' || fail "$name: the caution: see above"
import re, sys
def red(folder):
    text = open(f"{folder}/{sys.argv[1]}.svg").read()
    lines = re.findall(r'translate\([^,]*,([\d.]+)\)"[^>]*fill="rgb\(160,32,32\)"[^>]*font-size="([\d.]+)"[^>]*>\s*<text[^>]*>([^<]*)', text)
    height = float(re.search(r'viewBox="0 0 \S+ (\S+)"', text)[1])
    return [(float(y), float(size), line) for y, size, line in lines], height
(short, _), (lines, height) = red("counted"), red("long")
said = " ".join(line.strip() for _, _, line in lines)
size = short[0][1]
assert all(f"PAPI_EVENT_{k}" in said for k in range(1, 41)), said
assert len(lines) > 2 and {letter for _, letter, _ in lines} == {size}, lines
assert all(after[0] - line[0] > size for line, after in zip(lines, lines[1:])) and lines[-1][0] < height, (lines, height)
PYTHON
done

# A campaign or the newest of a sweep, under its own name: files and title.
expect 0 nuce figure drawn drawn.1 --database drawn.db --output own --format svg
same "files" "$(cat "$work/stdout")" "$(printf 'own/%s.svg\n' drawn drawn.1)"
same "notes" "$(cat "$work/stderr")" ""
grep -q 'drawn.1: time relative to the reference' own/drawn.1.svg || fail "the title does not name the campaign"
refuses "unknown table or figure 'undrawn'" nuce figure undrawn --database drawn.db

# The numbers on the axes of two columns of panels stay apart, however narrow long names make them.
cat >many.yaml <<'EOF'
name: many
workload: exchange
ranks: [4, 8, 16, 32, 64, 128]
sweep:
  schedule: [lp, rs-n-sort, greedy, tuna, bruck-padded]
  pattern: uniform
  degree: 2
  item-bytes: 4KiB
EOF
cp "$programs/nuce-model" "$work/bin/nuce-model"
expect 0 nuce run many.yaml --modelled --database many.db
expect 0 nuce figure quick --database many.db --output many --format svg
python3 - many/quick.svg <<'PYTHON' || fail "the numbers on an axis: see above"
import re, sys
axes = {}
for x, y, number in re.findall(r'translate\(([\d.]+),([\d.]+)\)"[^>]*text-anchor="middle">\s*<text><tspan[^>]*>([\d.]+)<',
                               open(sys.argv[1]).read()):
    axes.setdefault((float(x) > 450, y), []).append((float(x), number))
assert len(axes) == 6 and all(len(axis) > 1 for axis in axes.values()), axes
for axis in axes.values():
    for (left, one), (right, two) in zip(axis, axis[1:]):
        assert right - left > 6 * (len(one) + len(two)) / 2, axis
PYTHON
rm -r campaigns/many.1

# Nothing but corrupt runs is no data.
edit_records 's/"status":"ok"/"status":"corrupt"/' campaigns/drawn.1/records/*.jsonl
expect 0 nuce collect --database nothing.db
gives_up "run 'nuce run quick'" nuce table quick --database nothing.db
expect 1 nuce figure quick --database nothing.db

# All figures: those with rows, one line for the others; one that cannot be drawn is a failure.
expect 0 nuce figure all --database drawn.db --output all --format svg
same "what it prints" "$(cat "$work/stdout")" "$(printf 'all/%s\n' quick.svg scaling.svg)"
same "files" "$(ls all)" "$(printf '%s\n' quick.svg scaling.svg)"
says stderr "drawn.db has rows for $(find all -name '*.svg' | wc -l) of "
same "lines on stderr" "$(wc -l <"$work/stderr")" 1
gives_up "nothing.db has rows for 0 of " nuce figure all --database nothing.db
refuses "--environment: '0123'" nuce figure all --database drawn.db --environment 0123
mkdir "$work/bin/none"
printf '#!/bin/sh\nexit 3\n' | program "$work/bin/none/gnuplot"
before=$PATH
PATH="$work/bin/none:$PATH"
expect 1 nuce figure all --database drawn.db --output undrawn
PATH=$before
says stderr "gnuplot failed"

# A full disk: gnuplot may not report it. Its output is not a picture, and the previous picture stays.
cat >"$work/bin/none/gnuplot" <<EOF
#!/bin/sh
PATH=$before
gnuplot "\$@" || exit
for file in figure.*; do
    size=\$(wc -c <"\$file")
    head -c \$((size - 4)) "\$file" >cut
    cat cut >"\$file"
    rm cut
done
EOF
for format in png svg pdf; do
    expect 0 nuce figure quick --database drawn.db --output kept --format $format
    cp kept/quick.$format whole
    PATH="$work/bin/none:$PATH"
    expect 1 nuce figure quick --database drawn.db --output kept --format $format
    PATH=$before
    says stderr "no whole picture"
    cmp kept/quick.$format whole || fail "half a picture has taken the place of a whole one"
done
