# Sourced by cluster: Slurm's configuration, and its commands.
# shellcheck shell=bash

# Faults are noticed soon. SlurmdTimeout is longer than Slurm needs: a node that shares a busy machine may answer
# some ten seconds late, and Slurm takes it for dead, with its jobs. UnkillableStepTimeout must exceed
# the time that the daemon of a step waits, after its ranks have ended, for those of dead nodes: 60 s,
# and 3 s for each level of their tree (REVERSE_TREE_CHILDREN_TIMEOUT in Slurm's source). Otherwise the
# first node of each job that loses another is drained ("Kill task failed").
slurm_defaults() {
    local nodes=$1 cpus=$2 memory
    memory=$(awk '$1 == "MemTotal:" { print int($2 / 1024) }' /proc/meminfo)
    cat <<EOT
ClusterName=$name
SlurmctldHost=control
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
MpiDefault=pmi2
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
TopologyPlugin=topology/tree
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,bf_interval=2,sched_interval=5
JobRequeue=1
ReturnToService=2
PropagateResourceLimits=NONE
PrivateData=none
CompleteWait=0
InactiveLimit=0
KillWait=5
MessageTimeout=10
MailProg=/bin/true
MinJobAge=300
SlurmdTimeout=30
TCPTimeout=2
UnkillableStepTimeout=120
NodeName=n[0-$((nodes - 1))] CPUs=$cpus RealMemory=$memory State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOT
}

# The setting of a line: its first key, with the value if that is a name.
slurm_key() {
    local word=${1%%[[:space:]]*}
    word=${word,,}
    case $word in
    partitionname=* | nodename=* | nodeset=*) printf '%s\n' "$word" ;;
    *) printf '%s\n' "${word%%=*}" ;;
    esac
}

# check_conf LINE...: checks that each is one line KEY=VALUE....
check_conf() {
    local line
    for line in "$@"; do
        [[ $line =~ ^[A-Za-z]+=[^[:space:]] && $line != *[[:cntrl:]]* ]] ||
            usage "--conf '$line': expected one line of slurm.conf, KEY=VALUE..."
    done
}

# write_slurm_conf NODES CPUS LINE...: a line with a key that exists already replaces it.
write_slurm_conf() {
    local nodes=$1 cpus=$2 line mine
    shift 2
    local -A replaced=()
    for mine in "$@"; do
        replaced[$(slurm_key "$mine")]=1
    done
    mkdir -p "$state/conf"
    {
        while IFS= read -r line; do
            [ -n "${replaced[$(slurm_key "$line")]:-}" ] || printf '%s\n' "$line"
        done < <(slurm_defaults "$nodes" "$cpus")
        [ $# = 0 ] || printf '%s\n' "$@"
    } >"$state/conf/slurm.conf"
    printf 'CgroupPlugin=disabled\n' >"$state/conf/cgroup.conf"
    awk -f "$here/lib/topology-conf.awk" "$state/topology" >"$state/conf/topology.conf"
}

# True if every node is idle and answers.
all_idle() {
    local states
    states=$(inside control / sinfo -h -N -o %T 2>/dev/null) || return 1
    [ "$(sort -u <<<"$states")" = idle ]
}

# slurm_command COMMAND ARGUMENT...: runs it on the control node; does not return.
slurm_command() {
    local command=$1
    shift
    case $command in
    sbatch | srun) need_shared_folder ;;
    *) is_shared || cd / ;;
    esac
    enter control "$PWD" "/usr/bin/$command" "$@"
}
