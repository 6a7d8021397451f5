#!/bin/sh
# Ports whose buffers overflow: packets are lost when all ranks send to one, every payload arrives complete, and the
# results are not pooled with those of a network without loss.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
awk 'BEGIN { print "ranks 4"; for (i = 0; i < 4; i++) print "port", i, "4e6", "4e6" }' >ports.txt
printf '4\n1 0 300000\n2 0 300000\n3 0 300000\n' >incast.com
export UCX_TLS=tcp UCX_NET_DEVICES=eth0 UCX_RNDV_THRESH=inf

# dropped: packets that the queue in front of n0 did not take.
dropped() {
    ip netns exec "$NUCE_CLUSTER-switch" tc -s qdisc show dev p0 |
        awk '{ for (i = 1; i < NF; i++) if ($i == "(dropped") most = most > $(i + 1) + 0 ? most : $(i + 1) + 0 }
            END { print most + 0 }'
}

# incast: all send to n0, by the kernel.
incast() {
    expect 0 cluster srun -n 4 "$programs/nuce-exchange" --com incast.com --schedule ac,lp --min-samples 10 --max-samples 10 \
        --format csv
    same "runs that are whole" "$(grep -c ',ok,' said)" 2
}

up --nodes 4 --links ports.txt
incast
same "packets that were lost without a buffer" "$(dropped)" 0
before=$(cluster exec n0 -- cat /etc/slurm/network)
cluster down
up --nodes 4 --links ports.txt --buffer 12000
incast
[ "$(dropped)" -gt 0 ] || fail "no packet was lost"
after=$(cluster exec n0 -- cat /etc/slurm/network)
same "what the nodes say of their network" "$(printf '%s\n%s\n' "$before" "$after" | sort | uniq -u)" \
    "buffer 12000 bytes"
expect 0 cluster status
grep -q "buffers of 12000 bytes" said || fail "status does not name the buffers"
# Results show the size of the ports' buffers.
profile 'describe: /etc/slurm/network'
sweep 2 0.2 2
submit
eventually 60 no_jobs
finished 2
same "buffers of environments that have jobs" \
    "$(value "SELECT group_concat(DISTINCT buffer_bytes) FROM environment WHERE id IN (SELECT environment FROM job)")" 12000
