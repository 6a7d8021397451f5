# The modules and the prologue of the profile stand below as they were written there. The first line that
# fails ends the job before anything is measured: half an environment is another one. A line that ends the
# shell itself is told as well.
# shellcheck disable=SC1090,SC3028
prologue_folder=$(pwd)
prologue_number=0
prologue_line=
prologue_next() {
    prologue_number=$((prologue_number + 1))
    prologue_line=$1
}
prologue_end() {
    [ "$1" -ne 0 ] || return 0
    trap - EXIT
    printf 'nuce: the profile'\''s modules and prologue, line %d, failed with status %d: %s\n' \
        "$prologue_number" "$1" "$prologue_line" >&2
    exit 2
}
prologue_gone() {
    printf 'nuce: the profile'\''s modules and prologue, line %d, ended the job: %s\n' \
        "$prologue_number" "$prologue_line" >&2
    exit 2
}
trap prologue_gone EXIT
# A batch step is no login shell: where `module` is not known it is looked for where it usually is.
for prologue_file in "${LMOD_PKG:-/nonexistent}/init/sh" "${MODULESHOME:-/nonexistent}/init/sh" \
    /etc/profile.d/lmod.sh /etc/profile.d/modules.sh /usr/share/lmod/lmod/init/sh \
    /usr/share/modules/init/sh; do
    command -v module >/dev/null 2>&1 || [ ! -r "$prologue_file" ] || . "$prologue_file"
done
