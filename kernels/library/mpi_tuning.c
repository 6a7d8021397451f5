/* Rank 0 reads the file, because nodes may have none, or others. The other ranks parse the text
 * that it sends. A rule is found by sums over the ranks, so all of them find the same. */
#include "library/mpi_tuning.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"
#include "points/machine.h"
#include "run/check.h"
#include "schedules/pattern.h"

#define NAME_BYTES 256 /* as in records (run/environment.c) */

/* The names of this machine and this MPI library, as records have them and nuce advise writes. */
static void name_here(char machine[NAME_BYTES], char mpi[NAME_BYTES])
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", line[NAME_BYTES];
    json_t *described = nuce_machine_describe();
    const char *kind = json_string_value(json_object_get(described, "machine"));
    const char *processor = json_string_value(json_object_get(described, "processor"));
    int length;

    snprintf(machine, NAME_BYTES, "%s%s%s", kind, processor == NULL ? "" : " ",
             processor == NULL ? "" : processor);
    json_decref(described);
    NUCE_MPI(MPI_Get_library_version(text, &length));
    nuce_text_line(text, "", line, sizeof line);
    nuce_text_library(line, mpi, NAME_BYTES);
}

/* Why the rules of a file do not hold here, freed by the caller; NULL: they do. */
static char *find_elsewhere(const struct nuce_tuning_file *file)
{
    char machine[NAME_BYTES], mpi[NAME_BYTES];

    name_here(machine, mpi);
    if (file->machine[0] != '\0' && strcmp(file->machine, machine) != 0)
        return nuce_text_format("is of %s, this is %s", file->machine, machine);
    if (file->mpi[0] != '\0' && strcmp(file->mpi, mpi) != 0)
        return nuce_text_format("is of %s, this is %s", file->mpi, mpi);
    return NULL;
}

/* Sends rank 0's text of *length bytes to all; NULL: there is none. */
static void share_text(struct nuce_world *world, char **text, size_t *length)
{
    int64_t bytes = *text == NULL ? -1 : (int64_t)*length;

    nuce_world_broadcast(world, &bytes, (int64_t)sizeof bytes);
    if (bytes < 0)
        return;
    *length = (size_t)bytes;
    if (world->rank != 0)
        *text = nuce_allocate(bytes + 1, 1);
    nuce_world_broadcast(world, *text, bytes);
}

/* The same of a string. */
static void share_string(struct nuce_world *world, char **text)
{
    size_t length = *text == NULL ? 0 : strlen(*text);

    share_text(world, text, &length);
}

nuce_status nuce_mpi_tuning_read(struct nuce_world *world, const char *path,
                                 struct nuce_mpi_tuning *out, struct nuce_error *error)
{
    struct nuce_mpi_tuning tuning = {0};
    char *text = NULL;
    nuce_status status = NUCE_OK;
    size_t length = 0;

    if (world->rank == 0 && path != NULL && path[0] != '\0') {
        tuning.path = nuce_text_duplicate(path);
        status = nuce_data_check_file(path, "a tuning file", error);
        if (status == NUCE_OK)
            status = nuce_text_read(path, &text, &length, error);
        if (status == NUCE_OK)
            status = nuce_tuning_file_parse(path, text, length, &tuning.file, error);
        if (status == NUCE_OK)
            tuning.elsewhere = find_elsewhere(&tuning.file);
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        share_string(world, &tuning.path);
        share_string(world, &tuning.elsewhere);
        share_text(world, &text, &length);
    }
    if (status == NUCE_OK && world->rank != 0 && text != NULL)
        status = nuce_tuning_file_parse(tuning.path, text, length, &tuning.file, error);
    free(text);
    if (status != NUCE_OK) {
        nuce_mpi_tuning_fini(&tuning);
        return status;
    }
    if (tuning.elsewhere != NULL)
        tuning.file.count = 0;
    *out = tuning;
    return NUCE_OK;
}

void nuce_mpi_tuning_fini(struct nuce_mpi_tuning *tuning)
{
    nuce_tuning_file_fini(&tuning->file);
    free(tuning->path);
    free(tuning->elsewhere);
    *tuning = (struct nuce_mpi_tuning){0};
}

void nuce_mpi_tuning_add(int rank, int ranks, const int64_t bytes[], int is_in_place,
                         uint64_t sums[NUCE_MPI_TUNING_SUMS])
{
    for (int i = 0; i < ranks; i++) {
        if (bytes[i] == 0 || (is_in_place && i == rank))
            continue;
        sums[NUCE_MPI_TUNING_FINGERPRINT] += nuce_pattern_fingerprint_message(rank, i, bytes[i]);
        sums[NUCE_MPI_TUNING_MESSAGES]++;
        sums[NUCE_MPI_TUNING_BYTES] += (uint64_t)bytes[i];
    }
}

struct nuce_tuning_call nuce_mpi_tuning_call(const char *name, int ranks,
                                             const uint64_t sums[NUCE_MPI_TUNING_SUMS])
{
    double messages = (double)sums[NUCE_MPI_TUNING_MESSAGES];

    return (struct nuce_tuning_call){
        .name = name,
        .ranks = ranks,
        .fingerprint = sums[NUCE_MPI_TUNING_FINGERPRINT],
        .bytes = messages > 0 ? (double)sums[NUCE_MPI_TUNING_BYTES] / messages : 0,
        .degree = messages / ranks};
}

const struct nuce_tuning_rule *nuce_mpi_tuning_find(const struct nuce_mpi_tuning *tuning,
                                                    const struct nuce_tuning_call *call,
                                                    char **said)
{
    const struct nuce_tuning_rule *rule = nuce_tuning_file_find(&tuning->file, call);
    struct nuce_text_print print;

    nuce_text_print_begin(&print);
    fprintf(print.file, "%s: ", tuning->path);
    if (tuning->elsewhere != NULL)
        fputs(tuning->elsewhere, print.file);
    else if (rule == NULL)
        fprintf(print.file,
                "no rule for %s ranks=%d pattern=%016" PRIx64 ", bytes %.6g, degree %.6g",
                call->name, call->ranks, call->fingerprint, call->bytes, call->degree);
    else
        nuce_tuning_rule_print(rule, print.file);
    nuce_text_print_end(&print);
    print.text[strcspn(print.text, "\n")] = '\0';
    *said = print.text;
    return rule;
}
