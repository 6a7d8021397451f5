/* The notes of slurm/prologue.sh. A job whose prologue failed has no ranks, and so no records. */
#include "db/collect_notes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/text.h"
#include "base/text_file.h"
#include "db/collect.h"
#include "db/collect_files.h"

/* The note's line is what slurm/prologue.sh also printed to the job's log, with who says it in
 * front. */
static const char speaker[] = "nuce: ";

/* The first line of the file, without who says it, made printable: it comes from the user's own
 * commands. A new string, or NULL where it cannot be read (collect_notes.h). */
static char *collect_note_line(int jobs, const char *name)
{
    int descriptor = openat(jobs, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct nuce_error ignored;
    char *text = NULL;

    if (descriptor < 0)
        return NULL;
    if (nuce_text_read_descriptor(descriptor, name, &text, NULL, &ignored) == NUCE_OK) {
        text[strcspn(text, "\n")] = '\0';
        nuce_printable_make(text);
        if (strncmp(text, speaker, sizeof speaker - 1) == 0)
            memmove(text, text + sizeof speaker - 1, strlen(text) - sizeof speaker + 2);
    }
    close(descriptor);
    return text;
}

nuce_status nuce_collect_notes(struct nuce_rows *rows, int folder, const char *path,
                               const char *campaign, struct nuce_error *error)
{
    int jobs = openat(folder, "jobs", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct nuce_file_names notes = {0};
    nuce_status status;

    if (jobs < 0)
        return NUCE_OK; /* it ran without Slurm */
    status = nuce_collect_names_read(jobs, path, NUCE_NOTE_ENDING, &notes, error);
    for (size_t i = 0; status == NUCE_OK && i < notes.count; i++) {
        /* It is JOB and NUCE_NOTE_ENDING. JOB is what nuce-job would have called its records
         * (slurm/prologue.sh). */
        const char *name = notes.names[i];
        char *line = collect_note_line(jobs, name);
        char *job = nuce_text_format("%.*s", (int)(strlen(name) - strlen(NUCE_NOTE_ENDING)), name);

        if (line != NULL)
            status = nuce_rows_add_lost_start(rows, campaign, job, line, error);
        free(job);
        free(line);
    }
    nuce_file_names_fini(&notes);
    close(jobs);
    return status;
}
