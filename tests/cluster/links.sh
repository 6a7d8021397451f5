#!/bin/sh
# Links of known speed are found: calibration finds the shaped bandwidths, by hand and in a campaign, and other points
# use the measured network.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4
export UCX_TLS=tcp UCX_NET_DEVICES=eth0

# Every ordered pair its own rate, 1 to 9 MB/s, so that the wire and not a processor that others use as
# well is the limit; the two directions differ.
cat >links.txt <<'LINKS'
ranks 4
0 1 0 4e6
0 2 0 1.2e6
0 3 0 9e6
1 0 0 1.8e6
1 2 0 6.4e6
1 3 0 2.6e6
2 0 0 8e6
2 1 0 1e6
2 3 0 5e6
3 0 0 3.2e6
3 1 0 7.2e6
3 2 0 2.2e6
LINKS
expect 0 cluster reshape --links links.txt

# found FILE: every pair of links.txt within 10 %.
found() {
    awk '
        NR == FNR && NF == 4 { shaped[$1, $2] = $4 }
        NR > FNR && ($1, $2) in shaped {
            ratio = $4 / shaped[$1, $2]
            printf "%d -> %d: %.2f MB/s, %.3f of the rate\n", $1, $2, $4 / 1e6, ratio
            pairs++
            off += ratio < 0.9 || ratio > 1.1
        }
        END {
            if (pairs != 12 || off)
                exit 1
        }' links.txt "$1"
}

# By hand, on every node.
calibrate() {
    expect 0 cluster srun -n 4 "$programs/nuce-calibrate" links --largest 1MiB
    newest=$(find networks -name '*.network' | sort | tail -n 1)
    says "$newest"
    cat "$newest"
}
# A measurement that something was in the way of is repeated.
for attempt in 1 2 3; do
    calibrate
    found "$newest" && break
    [ "$attempt" != 3 ] || fail "$newest: not 12 pairs, or not all within 10 %"
done
same "hosts" "$(sed -n 's/^host [0-9] //p' "$newest" | sort | tr '\n' ' ')" "n0 n1 n2 n3 "

# Every node one port, both ways: each is found, and that one partner or two fill it.
printf 'ranks 4\nport 0 5e6 5e6\nport 1 5e6 5e6\nport 2 5e6 5e6\nport 3 5e6 5e6\n' >ports.txt
expect 0 cluster reshape --links ports.txt
calibrate
awk '$1 == "port" { ports++; off += !($3 > 4e6 && $3 < 6e6 && $4 > 4e6 && $4 < 6e6) }
    $1 == "contention" && $2 == 3 { relative = $3 }
    END { exit !(ports == 4 && !off && relative < 1.5) }' "$newest" ||
    fail "$newest: not four ports of 5 MB/s that one partner fills"

# By a campaign: into the database, and into the folder beside campaigns.
profile 'describe: /etc/slurm/network'
cat >sweep.yaml <<'YAML'
name: links
workload: links
ranks: 4
sweep: {largest: 256KiB, repetitions: 2}
measure: {launches: 1}
YAML
submit
eventually 120 no_jobs
finished 1
same "pairs, ports, numbers of partners" \
    "$(value 'SELECT (SELECT count(*) FROM link), (SELECT count(*) FROM port), (SELECT count(*) FROM contention)')" \
    12,4,3
file=$(value "SELECT json_extract(metrics, '$.network_file') FROM run WHERE json_extract(metrics, '$.network_file') IS NOT NULL")
[ -e "$file" ] || [ -e "networks/$(basename "$file")" ] || fail "no file $file"
expect 0 nuce table links
says n3

# Other points take the newest network, wherever each rank runs.
sweep 2 0.2 4
sed -i 's/^  unit: .*/&\n  network: measured/' sweep.yaml
expect 0 nuce submit sweep.yaml --profile profile.yaml
eventually 120 no_jobs
finished 3 2
same "taken" "$(value "SELECT count(*) FROM run WHERE json_extract(metrics, '$.network_taken') LIKE '$(basename "$file")@%'")" 2
printf 'ranks 4\n' >links.txt
expect 0 cluster reshape --links links.txt
