#!/bin/sh
# nuce-model platform: every file of slurm/platforms is the output of the command in its first comment; bad input.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
cp "$programs/nuce-model" "$work/bin/nuce-model"
ln -s "$here/../../configs" configs
shipped="$here/../../slurm/platforms"

platform() {
    "$work/bin/nuce-model" platform "$@"
}

checked=0
for file in "$shipped"/*.xml; do
    words=$(sed -n '2s/^<!-- nuce-model platform \([a-z0-9 ._/-]*\) -->$/\1/p' "$file")
    [ -n "$words" ] || fail "$file: no command in its first comment"
    # shellcheck disable=SC2086 # words of a command
    expect 0 platform $words
    cmp "$work/stdout" "$file" || fail "$file: not what nuce-model platform $words prints"
    if command -v xmllint >/dev/null; then
        xmllint --noout --nonet "$file" || fail "$file: not XML"
    fi
    checked=$((checked + 1))
done
same "files of slurm/platforms" "$checked" 14
for name in nics-16 cm5-32 t3e-16 t3e-64 uneven-8-pairs uneven-8-ports uneven-16 two-leaves-16 fat-tree-64 fat-tree-256 \
    fat-tree-1024 dragonfly-64 dragonfly-256 dragonfly-1024; do
    [ -s "$shipped/$name.xml" ] || fail "no $name.xml"
done

prints "uneven" platform --help
expect 0 platform cm5
cmp "$work/stdout" "$shipped/cm5-32.xml" || fail "a CM-5 has 32 nodes unless asked for others"

# A network that is drawn, by the command in its file once more, and one from a file; ways between
# all pairs of the 75 switches that have nodes.
expect 0 platform irregular --seed 3
same "hosts" "$(grep -c '<host ' "$work/stdout")" 256
same "links" "$(grep -c '<link id="link-' "$work/stdout")" 129
zones=$(grep -c '<zone id="zone-' "$work/stdout")
same "ways" "$(grep -c '<zoneRoute ' "$work/stdout")" "$((zones * (zones - 1) / 2))"
cp "$work/stdout" irregular.xml
words=$(sed -n '2s/^<!-- nuce-model platform \([a-z0-9 ._/-]*\) -->$/\1/p' irregular.xml)
# shellcheck disable=SC2086 # words of a command
expect 0 platform $words
cmp "$work/stdout" irregular.xml || fail "not what nuce-model platform $words prints"
printf 'SwitchName=s Nodes=n[0-3]\nSwitchName=t Nodes=n[4-7]\nSwitchName=u Switches=s,t\n' >topology.conf
expect 0 platform irregular --topology topology.conf
same "hosts" "$(grep -c '<host ' "$work/stdout")" 8

worse() {
    text=$1
    shift
    refuses "$text" platform "$@"
    same "stdout of $*" "$(cat "$work/stdout")" ""
}
worse "unknown platform: expected cm5, t3e, uneven, fat-tree, dragonfly or irregular"
worse "'cm6': unknown platform (did you mean 'cm5'?)" cm6
worse "'t3e': expected one platform" cm5 t3e
worse "ranks: '0': expected at least 1" cm5 --ranks 0
worse "ranks: '1000000000': expected 1 to 16384" cm5 --ranks 1e9
worse "cm5 has links of its own" cm5 --network configs/networks/before.network
worse "--network: not given" uneven
worse "nowhere.network" uneven --network nowhere.network
printf 'ranks 2\n0 1 0 x\n' >bad.network
worse "bad.network:2:7" uneven --network bad.network
worse "a network of 8 ranks: expected 9" uneven --network configs/networks/before.network --ranks 9
worse "--topology: cm5 has switches of its own" cm5 --topology topology.conf
worse "--switches: cm5 has switches of its own" cm5 --switches 9
worse "--ranks: '9': the topology has 8 nodes" irregular --topology topology.conf --ranks 9
worse "irregular has links of its own" irregular --network configs/networks/before.network
worse "--switches: '5000000000': expected 1 to 32768" irregular --switches 5e9
worse "--ports: '5000000000': expected 1 to" irregular --ports 5e9
worse "at most 1024" cm5 --ranks 16384
worse "at most 2048" t3e --ranks 16384
worse "expected 64, 256 or 1024" dragonfly --ranks 33
worse "expected a power of two from 32 to 2048" fat-tree --ranks 100
status=0
platform cm5 >/dev/full 2>/dev/null || status=$?
same "exit status with a full disk" "$status" 1
