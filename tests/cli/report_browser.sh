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

# It finds what is wrong.
sed 's|</main>|<div style="width: 900px">wide</div></main>|' report.html >wide.html
sed 's|</script>|console.error("wrong");</script>|' report.html >loud.html
sed 's|</main>|<img src="none.png"/></main>|' report.html >broken.html
sed 's|return direction \* (a - b)|return 0|' report.html >unsorted.html
browse wide.html loud.html broken.html unsorted.html 2>"$work/stderr" &&
    fail "nothing is wrong with any of them"
for wrong in wide loud broken unsorted; do
    says stderr "$wrong.html at 390"
done
