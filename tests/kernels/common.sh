# shellcheck shell=sh
# Sourced by the tests of the kernels that look at all that a launch says.

# What launchers add to what programs say, a line each, for sed: Open MPI's tells between two rules how they
# ended, and that of 5.0 what it stumbled over while it did.
launchers='/^-\{60,\}$/,/^-\{60,\}$/d
/^\[[^]]*\] PMIX ERROR: /d
/^\[warn\] Epoll /d'

# launched COMMAND...: what it says goes to out and err, without what its launcher adds, and its exit status to
# $status.
launched() {
    status=0
    "$@" >out 2>err || status=$?
    sed -i "$launchers" err
}
