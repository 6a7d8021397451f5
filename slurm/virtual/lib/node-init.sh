#!/usr/bin/env bash
# Runs inside a node as its process 1: node-init.sh NODE
set -eu
node=$1
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

hostname "$node"
# A network that waits instead of dropping, like a cluster's, whatever the machine's own settings. A
# connection has no more data under way than the queues of all its links hold, or than a slow receiver
# accepts. As nothing is lost, nothing is sent twice because an answer waited in a queue (the route's
# rto_min, network.sh), nor slowed down for that reason.
# --buffer is for losses, so the kernel's own settings apply then.
while read -r key value; do
    grep -q '^buffer ' /etc/slurm/network || echo "$value" >"/proc/sys/net/ipv4/$key"
done <<'EOT'
tcp_wmem 4096 131072 131072
tcp_rmem 4096 2097152 8388608
tcp_congestion_control reno
tcp_slow_start_after_idle 0
tcp_early_retrans 0
tcp_no_metrics_save 1
EOT

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

# A machine outlives its daemon; process 1 also waits for orphans.
sleep infinity &
wait
