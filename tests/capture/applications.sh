#!/bin/sh
# Applications of others, as Debian packages them: nearly all of their bytes are in exact rounds, no
# message has one end alone but where they say so, and the capture is small. Called with the folder of the
# programs and this folder; skipped where none of them is installed.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
found=0

# application NAME PROGRAM RANKS LEAST WORDS...: captured twice, plainly and with waits that yield; of its bytes
# at least LEAST percent are in exact rounds.
application() {
    name=$1
    program=$2
    ranks=$3
    least=$4
    shift 4
    command -v "$program" >/dev/null && command -v "$launcher" >/dev/null || return 0
    found=1
    for option in "" --yield; do
        # shellcheck disable=SC2086 # an option or nothing
        expect 0 "$programs/nuce" capture $option -o "$name.capture" -- "$launcher" -n "$ranks" "$program" "$@"
        cp stderr told
        ! grep -q "nothing was left\|cut short\|found no room\|by a signal" told || fail "$name: $(cat told)"
        expect 0 "$programs/nuce" export "$name.capture" --format json
        python3 -c 'import json, sys
total = {}
for line in sys.stdin:
    pattern = json.loads(line)
    sent = sum(size for _, _, size in pattern["messages"]) * pattern["calls"]
    total[pattern["quality"]] = total.get(pattern["quality"], 0) + sent
share = 100 * total.get("exact", 0) / sum(total.values())
if share < float(sys.argv[1]):
    sys.exit(f"{share:.4g} % of the bytes are in exact rounds, expected {sys.argv[1]}")' "$least" <stdout ||
            fail "$name $option"
        [ "$(wc -c <"$name.capture")" -le 32768 ] || fail "$name: a capture of $(wc -c <"$name.capture") bytes"
    done
}

launcher=mpiexec.mpich
application netpipe NPmpich2 2 99.9 -u 4096 -n 20
launcher=mpiexec.openmpi
input=/usr/share/doc/hpcc/examples/_hpccinf.txt
if [ -f "$input" ]; then
    sed 's/^1000  *Ns/100 Ns/' "$input" >hpccinf.txt
    application hpcc hpcc 4 99
fi
[ "$found" = 1 ] || {
    echo "skipped: neither NetPIPE nor HPCC is installed" >&2
    exit 77
}
