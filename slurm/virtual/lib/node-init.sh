#!/usr/bin/env bash
# Runs inside a node as its process 1: node-init.sh NODE
set -eu
node=$1
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

hostname "$node"
# A network that waits instead of dropping, as a cluster's does: no connection has more under way
# than the queues of all its links hold.
echo "4096 131072 524288" >/proc/sys/net/ipv4/tcp_rmem
echo "4096 65536 524288" >/proc/sys/net/ipv4/tcp_wmem

mkdir -p /run/munge /var/spool/slurmd /run/slurm
cp /run/munge.key /run/munge/key
chmod 400 /run/munge/key
munged --foreground --key-file=/run/munge/key --seed-file=/run/munge/seed \
    --pid-file=/run/munge/munged.pid --log-file=/run/munge/log &
for ((tries = 100; tries > 0; tries--)); do
    [ ! -S /run/munge/munge.socket.2 ] || break
    sleep 0.05
done

if [ "$node" = control ]; then
    slurmctld -D &
else
    slurmd -D -N "$node" &
fi

# A machine whose daemon ends is still there; process 1 also waits for orphans.
sleep infinity &
wait
