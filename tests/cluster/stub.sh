#!/bin/sh
# An sbatch that submits and says that it failed: the job is found by its name and not submitted
# again. If sbatch really fails, no job exists, and resume submits.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 3

mkdir -p bin
for command in squeue scontrol scancel; do
    printf '#!/bin/sh\nexec %s/slurm/virtual/cluster %s "$@"\n' "$project" "$command" >"bin/$command"
done
cat >bin/sbatch <<SH
#!/bin/sh
echo call >>$PWD/calls
case \$(cat $PWD/mood) in
lies) $project/slurm/virtual/cluster sbatch "\$@" >/dev/null ;;
honest) exec $project/slurm/virtual/cluster sbatch "\$@" ;;
esac
echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2
exit 1
SH
chmod +x bin/*
PATH=$PWD/bin:$PATH
profile
sed -i /^via:/d profile.yaml
sweep 4 0.3 2

echo lies >mood
submit
says "was accepted as"
same "calls of sbatch" "$(wc -l <calls)" 1
same "jobs" "$(cluster squeue -h -t all -o %j | grep -c "^nuce-$name.1-")" 1
eventually 60 no_jobs
resume_all
finished 4

echo refuses >mood
sweep 4 0.2 3
expect 1 nuce submit sweep.yaml --profile profile.yaml
says "Slurm has no such job"
expect 0 nuce status
echo honest >mood
resume_all
finished 8 4
