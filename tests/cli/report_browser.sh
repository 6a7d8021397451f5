#!/bin/sh
# nuce report in a browser: nothing on the console, no scrolling sideways on a phone, tables sort.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
# shellcheck source=tests/cli/report_rows.sh
. "$2/report_rows.sh"

for needed in gnuplot python3 chromedriver chromium; do
    command -v "$needed" >/dev/null || {
        echo "skipped: $needed is not installed" >&2
        exit 77
    }
done
mkdir "$work/browser"
export HOME="$work/browser"

# browse FILE...: whether the pages are sound.
browse() {
    python3 "$here/report_browser.py" "$(command -v chromedriver)" "$(mktemp -d "$work/browser/XXXXXX")" "$@"
}

make_rows rows.db
expect 0 nuce report --database rows.db
cp rows.db hostile.db
make_hostile hostile.db
expect 0 nuce report --database hostile.db --output hostile.html
browse report.html hostile.html || fail "a page is not sound"

# It finds faults, and no script but the page's own runs.
sed '/Content-Security-Policy/d' report.html >free.html
sed 's|</main>|<div style="width: 900px">wide</div></main>|' free.html >wide.html
sed 's|</script>|console.error("wrong");</script>|' free.html >loud.html
sed 's|</main>|<img src="none.png"/></main>|' free.html >broken.html
sed 's|return direction \* (a - b)|return 0|' free.html >unsorted.html
sed 's|return direction \* (a - b)|return 0|' report.html >foreign.html
browse wide.html loud.html broken.html unsorted.html foreign.html 2>"$work/stderr" &&
    fail "nothing is wrong with any of them"
says stderr 'wide.html at 390: it is '
says stderr 'loud.html at 390: the console says: '
says stderr 'broken.html at 390: a broken image'
says stderr 'unsorted.html at 390: '
says stderr 'foreign.html at 390: a column cannot be sorted'
