/* Whether Slurm's programs can be called at all: said before anything is written. */
#include "campaigns/slurm_programs.h"

#include <errno.h>
#include <string.h>

#include "campaigns/command.h"

nuce_status nuce_slurm_find(const char *via, const char *program, struct nuce_error *error)
{
    if (nuce_command_exists(via != NULL ? via : program))
        return NUCE_OK;
    if (via == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: not in PATH: expected Slurm's programs there, or a profile with "
                              "'via'",
                              program);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "via: '%s': expected a program that calls Slurm's, got %s", via,
                          strchr(via, '/') == NULL ? "none of that name in PATH" : strerror(errno));
}
