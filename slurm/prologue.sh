# The modules and the prologue of the profile stand below as they were written there. The first line that
# fails ends the job before anything is measured: half an environment is another one. A line that ends the
# shell itself is told as well. What went wrong is in the log, and in jobs/JOB.prologue, JOB being what
# nuce-job would have called its records: from there `nuce status` and `nuce collect` have it.
# shellcheck disable=SC1090,SC3028
prologue_folder=$(pwd)
prologue_number=0
prologue_line=
# shellcheck disable=SC2154 # prologue_job is set above
prologue_note="$prologue_folder/jobs/$prologue_job-${SLURM_ARRAY_TASK_ID:-0}"
prologue_note="$prologue_note-slurm-${SLURM_JOB_ID:-0}-${SLURM_RESTART_COUNT:-0}.prologue"
rm -f "$prologue_note"
# What cannot be noted is in the log alone.
prologue_tell() {
    printf 'nuce: the profile'\''s modules and prologue, line %d, %s: %s\n' \
        "$prologue_number" "$1" "$prologue_line" >"$prologue_note" 2>/dev/null || true
    printf 'nuce: the profile'\''s modules and prologue, line %d, %s: %s\n' \
        "$prologue_number" "$1" "$prologue_line" >&2
    exit 2
}
prologue_next() {
    prologue_number=$((prologue_number + 1))
    prologue_line=$1
}
prologue_end() {
    [ "$1" -ne 0 ] || return 0
    trap - EXIT
    prologue_tell "failed with status $1"
}
prologue_gone() {
    trap - EXIT
    prologue_tell "ended the job"
}
trap prologue_gone EXIT
# A batch step is no login shell: where `module` is not known it is looked for where it usually is.
for prologue_file in "${LMOD_PKG:-/nonexistent}/init/sh" "${MODULESHOME:-/nonexistent}/init/sh" \
    /etc/profile.d/lmod.sh /etc/profile.d/modules.sh /usr/share/lmod/lmod/init/sh \
    /usr/share/modules/init/sh; do
    command -v module >/dev/null 2>&1 || [ ! -r "$prologue_file" ] || . "$prologue_file"
done
