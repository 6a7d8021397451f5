# The modules and the prologue of the profile follow below, as the user wrote them. The first line that
# fails ends the job before anything is measured, because an incomplete environment is a different one. A
# line that ends the shell itself is reported as well. The error is in the log, and in jobs/JOB.prologue,
# where JOB is the name that nuce-job would have given its records. `nuce status` and `nuce collect` read
# it from there.
# shellcheck disable=SC1090,SC3028
prologue_folder=$(pwd)
prologue_number=0
prologue_line=
# shellcheck disable=SC2154 # prologue_job is set above
prologue_note="$prologue_folder/jobs/$prologue_job-${SLURM_ARRAY_TASK_ID:-0}"
prologue_note="$prologue_note-slurm-${SLURM_JOB_ID:-0}-${SLURM_RESTART_COUNT:-0}.prologue"
rm -f "$prologue_note"
# If the note cannot be written, only the log has the error.
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
# A batch step is not a login shell: if `module` is unknown, it is searched for in its usual places.
for prologue_file in "${LMOD_PKG:-/nonexistent}/init/sh" "${MODULESHOME:-/nonexistent}/init/sh" \
    /etc/profile.d/lmod.sh /etc/profile.d/modules.sh /usr/share/lmod/lmod/init/sh \
    /usr/share/modules/init/sh; do
    command -v module >/dev/null 2>&1 || [ ! -r "$prologue_file" ] || . "$prologue_file"
done
