/* What a profile is made of, and what its texts may be: a new member of struct nuce_profile needs a
 * row here, or it is lost between `submit` and `resume`. What a key means stands in profile.h, and
 * for users in docs. */
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/keys.h"
#include "campaigns/profile_parts.h"

/* Characters of a variable's name in POSIX; digits, which may not be its first. */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS "0123456789"

/* How a launcher is called follows from its name: srun takes options of its own, mpiexec's kin
 * takes -n. */
static nuce_status check_launcher(const char *text, struct nuce_error *error)
{
    if (nuce_profile_takes_srun(text) >= 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected srun, mpiexec or a name that begins so (mpiexec.hydra), "
                          "or the path of one; for others a script mpiexec-NAME that takes -n "
                          "RANKS [-ppn RANKS] PROGRAM ... (mpirun is mpiexec)",
                          text);
}

/* How srun starts MPI programs. That only srun takes it is checked when all keys are read, since
 * the launcher may be named further down. */
static nuce_status check_mpi(const char *text, struct nuce_error *error)
{
    if (nuce_text_is_name(text))
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected a name of 'srun --mpi=list', such as pmi2 or pmix", text);
}

/* Slurm's own variables are refused: programs under srun find their place by them. */
static nuce_status check_not_slurms(const char *variable, struct nuce_error *error)
{
    if (strncmp(variable, "SLURM_", strlen("SLURM_")) != 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': Slurm sets its own variables in each job",
                          variable);
}

/* "OMP_*" or "OMP_NUM_THREADS": no other pattern is needed, and none is then misread. */
static nuce_status check_pattern(const char *text, struct nuce_error *error)
{
    size_t length = strlen(text), plain = strspn(text, LETTERS DIGITS);

    if (check_not_slurms(text, error) != NUCE_OK)
        return error->status;
    if (strchr(DIGITS, *text) == NULL &&
        (plain == length || (plain + 1 == length && text[plain] == '*')))
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected the name of a variable, whose end may be *", text);
}

static nuce_status check_variable(const char *text, struct nuce_error *error)
{
    if (*text == '\0' || strchr(DIGITS, *text) != NULL ||
        strspn(text, LETTERS DIGITS) != strlen(text))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected a name of letters, digits and underscores", text);
    return check_not_slurms(text, error);
}

/* A module's name is put into the job script as it is. */
static nuce_status check_module(const char *text, struct nuce_error *error)
{
    if (*text != '-' && strspn(text, LETTERS DIGITS "/.+-") == strlen(text))
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected the name of a module, as 'module avail' has it", text);
}

/* Each word by itself, so that the message can point at it. */
static nuce_status check_sbatch(const char *text, struct nuce_error *error)
{
    return nuce_slurm_check_words(&text, 1, error);
}

/* A row of the table; a member that struct nuce_profile does not have does not compile. */
#define MEMBER(kind, member, ...)                                                                  \
    {                                                                                              \
        .name = #member, .type = NUCE_PROFILE_##kind,                                              \
        .offset = offsetof(struct nuce_profile, member), ##__VA_ARGS__                             \
    }

/* Lines of prologue are the user's own shell text, and are not looked into; nor are the options of
 * the launcher, as nuce does not know those of every one. */
const struct nuce_profile_member nuce_profile_members[] = {
    MEMBER(TEXT, path),
    MEMBER(TEXT, via, .key = "via", .names = NUCE_PROFILE_PROGRAM),
    MEMBER(TEXT, programs, .key = "programs", .names = NUCE_PROFILE_FOLDER),
    MEMBER(REQUIRED, launcher, .key = "launcher", .names = NUCE_PROFILE_PROGRAM,
           .check = check_launcher),
    MEMBER(TEXT, mpi, .key = "mpi", .check = check_mpi),
    MEMBER(TEXT, hosts),
    MEMBER(WHOLE, nodes),
    MEMBER(WHOLE, tasks_per_node),
    MEMBER(WHOLE, concurrent),
    MEMBER(WHOLE, time_s),
    MEMBER(WHOLE, warning_s),
    MEMBER(FLAG, exclusive),
    MEMBER(FLAG, requeue),
    MEMBER(LIST, environment, .key = "environment", .check = check_pattern),
    MEMBER(OBJECT, set, .key = "set", .check = check_variable),
    MEMBER(LIST, modules, .key = "modules", .check = check_module),
    MEMBER(LIST, prologue, .key = "prologue"),
    MEMBER(LIST, describe, .key = "describe", .names = NUCE_PROFILE_FILES),
    MEMBER(OBJECT, options),
    MEMBER(LIST, sbatch, .key = "sbatch", .check = check_sbatch),
    MEMBER(LIST, words),
    MEMBER(LIST, launcher_options, .key = "launcher-options"),
    {.name = NULL},
};

const struct nuce_profile_member *nuce_profile_member_find(const char *key)
{
    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++) {
        if (row->key != NULL && strcmp(row->key, key) == 0)
            return row;
    }
    return NULL;
}
