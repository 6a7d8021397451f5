# Sourced by the tests of nuce capture import, in place of common.sh.
# shellcheck shell=sh
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
nuce=$programs/nuce

# imported NAME FILE...: as NAME.capture and NAME.json.
imported() {
    name=$1
    shift
    expect 0 "$nuce" capture import --output "$name.capture" "$@"
    expect 0 "$nuce" export "$name.capture" --format json
    mv stdout "$name.json"
}

# has FILE KEY VALUE...: all of it, in the only line of the file, as JSON.
has() {
    python3 -c 'import json, sys
pattern = json.loads(open(sys.argv[1]).read())
for key, value in zip(sys.argv[2::2], sys.argv[3::2]):
    if pattern[key] != json.loads(value):
        sys.exit(f"{sys.argv[1]}: {key} is {pattern[key]}, expected {value}")' "$@"
}

# refuse TEXT ARGUMENT...: with status 2, and nothing is left.
refuse() {
    text=$1
    shift
    expect 2 "$nuce" capture import -o bad.capture "$@"
    says stderr "$text"
    [ -z "$(ls -d bad.capture* 2>/dev/null)" ] || fail "something is left of: $text"
}
