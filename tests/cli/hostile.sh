#!/bin/sh
# Hostile text as every key and every value of a sweep: refused or harmless, and the canary lives.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small base
echo alive >canary
cp canary "$work/canary"

# try LINE_NUMBER NEW_LINE: the small sweep with one line replaced is run, which plans it first.
try() {
    awk -v at="$1" -v text="$2" 'NR == at { print text; next } { print }' base.yaml >hostile.yaml
    status=0
    launch run hostile.yaml >"$work/stdout" 2>&1 || status=$?
    case $status in
    0 | 2) ;;
    *)
        cat "$work/stdout" >&2
        fail "a run of line '$2' ended with $status"
        ;;
    esac
    cmp -s canary "$work/canary" || fail "line '$2' killed the canary"
}

cat >texts <<'EOF'
$(rm -f canary)
../../canary
/dev/stdin
--help
%s%n%s%n
a'b
EOF
while IFS= read -r text; do
    quoted=$(printf '%s' "$text" | sed "s/'/''/g")
    try 1 "name: '$quoted'"
    try 2 "workload: '$quoted'"
    try 3 "ranks: '$quoted'"
    try 5 "  schedule: '$quoted'"
    try 6 "  pattern: '$quoted'"
    try 6 "  mesh: '$quoted'"
    try 6 "  com: '$quoted'"
    try 7 "  degree: '$quoted'"
    try 8 "  item-bytes: '$quoted'"
    try 8 "  '$quoted': 1"
    try 8 "  seed: '$quoted'"
    try 4 "'$quoted': 1"
    try 4 "slurm: {account: '$quoted'}
sweep:"
    try 4 "slurm: {'$quoted': 1}
sweep:"
    try 4 "measure: {papi: '$quoted'}
sweep:"
    try 4 "measure: {wait: '$quoted'}
sweep:"
    try 4 "exclude: [{schedule: '$quoted'}]
sweep:"
    try 4 "zip: [{seed: ['$quoted']}]
sweep:"
done <texts
expect 2 nuce resume '../here'
expect 2 nuce resume "\$(rm canary)"
cmp -s canary "$work/canary" || fail "the canary is dead"
[ ! -e "$work/campaigns" ] || fail "something was written outside the folder"
