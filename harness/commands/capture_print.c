/* A capture as a table, and in sentences. The table has one row per pattern, by time. Times are
 * medians over its calls in nanoseconds, because some calls take a hundred times as long as others;
 * unknown ones are empty. The sentences add facts that no row has: calls that were not captured,
 * and ranks without data. */
#include "commands/capturing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/text.h"
#include "base/units.h"
#include "capture/recorder.h"

/* share: of all ranks' time, 0 to 1; duration and skew: medians over calls. Bytes and nanoseconds
 * are rounded to whole ones. */
static const char *const capturing_columns[] = {
    "place",    "pattern",    "kind",  "quality",     "ranks",   "calls",
    "messages", "mean_bytes", "share", "duration_ns", "skew_ns",
};
enum { COLUMNS = sizeof capturing_columns / sizeof *capturing_columns };

double nuce_capturing_bytes(const struct nuce_capture *capture,
                            const struct nuce_capture_pattern *pattern)
{
    double sum = 0;

    for (int64_t i = 0; i < capture->topology[pattern->topology].messages; i++)
        sum += (double)pattern->bytes[i];
    return sum;
}

/* Sets a rounded value; NULL if it is unknown. */
static void set_rounded(struct nuce_cell *cell, double value)
{
    if (isfinite(value))
        nuce_cell_set_integer(cell, llround(value));
}

void nuce_capturing_table(const struct nuce_capture *capture, struct nuce_grid *out)
{
    struct nuce_capture_row *rows = nuce_capture_rows(capture);

    nuce_grid_init(COLUMNS, capturing_columns, out);
    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[rows[i].pattern];
        int64_t messages = capture->topology[pattern->topology].messages;
        double share = capture->all_ranks_ns > 0 ? pattern->rank_ns / capture->all_ranks_ns : NAN;
        struct nuce_cell *cell;

        nuce_grid_add_row(out, &cell);
        /* Counts from 1, by time, as `call: 1` in a sweep does; a pattern without messages has no
         * place. */
        if (rows[i].place > 0)
            nuce_cell_set_integer(&cell[0], rows[i].place);
        nuce_cell_copy(&cell[1], NUCE_CELL_TEXT, pattern->id);
        nuce_cell_copy(&cell[2], NUCE_CELL_TEXT, nuce_raw_kind_name(pattern->kind));
        nuce_cell_copy(&cell[3], NUCE_CELL_TEXT, nuce_capture_quality_name(pattern->quality));
        nuce_cell_set_integer(&cell[4], capture->communicator[pattern->communicator].size);
        nuce_cell_set_integer(&cell[5], pattern->calls);
        nuce_cell_set_integer(&cell[6], messages);
        if (messages > 0)
            set_rounded(&cell[7], nuce_capturing_bytes(capture, pattern) / (double)messages);
        nuce_cell_set_real(&cell[8], isfinite(share) ? round(share * 1e4) / 1e4 : NAN);
        set_rounded(&cell[9], nuce_capture_times_quantile(&pattern->duration, 0.5));
        set_rounded(&cell[10], nuce_capture_times_quantile(&pattern->skew, 0.5));
    }
    free(rows);
}

/* With a slash, or .capture at its end, a word can name nothing else. */
static int can_only_be_file(const char *word)
{
    return strchr(word, '/') != NULL || nuce_text_ends(word, ".capture");
}

int nuce_capturing_is_file(const char *path)
{
    struct stat file;

    return stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
           (can_only_be_file(path) || (file.st_mode & S_IXUSR) == 0);
}

int nuce_capturing_is_missing(const char *word, struct nuce_error *error)
{
    if (!can_only_be_file(word) || nuce_capturing_is_file(word))
        return 0;
    nuce_error_set(error, NUCE_BAD_INPUT, "%s: no such file: expected a capture ('nuce capture')",
                   word);
    return 1;
}

/* Prints a COM file (docs/how-to/my-mesh.md), with a comment that describes it and the ranks behind
 * its numbers. */
static nuce_status print_com(const struct nuce_capture *capture,
                             const struct nuce_capture_pattern *pattern, FILE *file,
                             struct nuce_error *error)
{
    const struct nuce_capture_communicator *communicator =
        &capture->communicator[pattern->communicator];
    struct nuce_pattern com;

    if (nuce_capture_com(capture, pattern, &com, error) != NUCE_OK)
        return error->status;
    fprintf(file, "# pattern %s: %s, %s, %lld calls; ranks of the world:", pattern->id,
            nuce_raw_kind_name(pattern->kind), nuce_capture_quality_name(pattern->quality),
            (long long)pattern->calls);
    for (int i = 0; i < communicator->size; i++)
        fprintf(file, " %d", communicator->members[i]);
    fprintf(file, "\n%d\n", com.ranks);
    for (int rank = 0; rank < com.ranks; rank++) {
        for (int64_t k = com.row[rank]; k < com.row[rank + 1]; k++)
            fprintf(file, "%d %d %lld\n", rank, com.destination[k], (long long)com.bytes[k]);
    }
    nuce_pattern_fini(&com);
    return NUCE_OK;
}

/* Patterns without messages get no COM file: it would contain only the number of ranks. */
nuce_status nuce_capturing_print_com(const struct nuce_capture *capture, const char *call,
                                     const char *folder, struct nuce_error *error)
{
    if (call != NULL) {
        const struct nuce_capture_pattern *pattern = nuce_capture_find(capture, call, error);

        return pattern == NULL ? error->status : print_com(capture, pattern, stdout, error);
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", folder, strerror(errno));
    error->status = NUCE_OK;
    for (int i = 0; i < capture->patterns && error->status == NUCE_OK; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        char *path;
        FILE *file;

        if (capture->topology[pattern->topology].messages == 0)
            continue;
        /* Replaces a file of that name: an id identifies its content. */
        path = nuce_text_format("%s/%s.com", folder, pattern->id);
        file = fopen(path, "we");
        if (file == NULL) {
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
        } else {
            error->status = print_com(capture, pattern, file, error);
            /* | instead of ||: the file is closed even after a write error. */
            if ((ferror(file) != 0) | (fclose(file) != 0) && error->status == NUCE_OK)
                nuce_error_set(error, NUCE_FAILED, "%s: cannot be written", path);
            if (error->status == NUCE_OK)
                printf("%s\n", path);
        }
        free(path);
    }
    return error->status;
}

/* The processor time of the ranks that recording took, estimated from the calls whose recording was
 * timed. */
static void tell_cost(const int64_t *counters, FILE *file)
{
    char each[NUCE_UNITS_BYTES];
    double each_ns;

    if (counters[NUCE_RAW_WATCHED] <= 0 || counters[NUCE_RAW_CPU_NS] <= 0)
        return;
    each_ns = (double)counters[NUCE_RAW_WATCHED_NS] / (double)counters[NUCE_RAW_WATCHED];
    fprintf(file,
            "  noting %lld calls took %.2g %% of the ranks' processor time, %s each (%lld were "
            "timed)\n",
            (long long)counters[NUCE_RAW_CALLS],
            100 * each_ns * (double)counters[NUCE_RAW_CALLS] / (double)counters[NUCE_RAW_CPU_NS],
            nuce_units_format_seconds(each_ns * 1e-9, each), (long long)counters[NUCE_RAW_WATCHED]);
}

/* A line for each kind of data that the capture lacks, counted by the ranks (capture/raw.h). It is
 * printed each time, so that users do not take a pattern for all of the application's messages. */
static void tell_left_out(const struct nuce_capture *capture, FILE *file)
{
    static const struct {
        int counter;
        const char *words;
    } left_out[] = {
        {NUCE_RAW_ONE_SIDED, "one-sided calls"},
        {NUCE_RAW_BETWEEN, "calls on intercommunicators"},
        {NUCE_RAW_PARTITIONED, "requests of partitioned messages"},
        {NUCE_RAW_OTHER, "calls on communicators of unknown origin, or of unknown kind"},
        {NUCE_RAW_CANCELLED, "cancelled messages"},
        {NUCE_RAW_UNFINISHED, "receives that never ended"},
        {NUCE_RAW_FULL, "records without room"},
    };

    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        if (capture->counters[left_out[i].counter] > 0)
            fprintf(file, "  not captured: %lld %s\n",
                    (long long)capture->counters[left_out[i].counter], left_out[i].words);
    }
    if (capture->counters[NUCE_RAW_CUT] > 0)
        fprintf(file, "  %lld time%s a round of more than %d messages was cut: it is in epochs\n",
                (long long)capture->counters[NUCE_RAW_CUT],
                nuce_text_plural(capture->counters[NUCE_RAW_CUT]), NUCE_RECORDER_LONGEST);
    if (capture->counters[NUCE_RAW_YIELDED] > 0)
        fprintf(file,
                "  %lld waits yielded the processor between tests: their times include that\n",
                (long long)capture->counters[NUCE_RAW_YIELDED]);
    if (capture->unmatched > 0)
        fprintf(file, "  %lld message%s seen at one end only\n", (long long)capture->unmatched,
                capture->unmatched == 1 ? " was" : "s were");
    if (capture->found < capture->ranks)
        fprintf(file, "  %d rank%s left no data\n", capture->ranks - capture->found,
                nuce_text_plural(capture->ranks - capture->found));
    if (capture->cut_files > 0)
        fprintf(file, "  %lld raw file%s cut short\n", (long long)capture->cut_files,
                capture->cut_files == 1 ? " was" : "s were");
    if (capture->endings[NUCE_RAW_EXITED] > 0)
        fprintf(
            file,
            "  %d rank%s ended without MPI_Finalize%s: their messages until then are included\n",
            capture->endings[NUCE_RAW_EXITED], nuce_text_plural(capture->endings[NUCE_RAW_EXITED]),
            capture->counters[NUCE_RAW_LEFT_WITH_0] == 0 ? ", with a failure"
            : capture->counters[NUCE_RAW_LEFT_WITH_0] < capture->endings[NUCE_RAW_EXITED]
                ? ", some with exit status 0"
                : ", with exit status 0");
    if (capture->endings[NUCE_RAW_RUNNING] > 0)
        fprintf(
            file,
            "  %d rank%s ended by a signal or MPI_Abort: their messages until then are included\n",
            capture->endings[NUCE_RAW_RUNNING],
            nuce_text_plural(capture->endings[NUCE_RAW_RUNNING]));
}

/* Rounding of times may add this much to the sum of shares. */
#define SHARES_SLACK 0.01

/* Calls without messages are in no race, so this prints their share of the time: of the kind with
 * the largest share, and of the others. */
static void tell_shares(const struct nuce_capture *capture, FILE *file)
{
    double kinds[NUCE_RAW_KINDS_END] = {0}, with = 0, without = 0;
    int most = 0;

    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        int has_messages = capture->topology[pattern->topology].messages > 0;

        with += has_messages ? pattern->rank_ns : 0;
        without += has_messages ? 0 : pattern->rank_ns;
        kinds[pattern->kind] += has_messages ? 0 : pattern->rank_ns;
        if (kinds[pattern->kind] > kinds[most])
            most = pattern->kind;
    }
    if (capture->all_ranks_ns <= 0)
        return;
    fprintf(file, "  ranks' time: %.3g %% in calls with messages",
            100 * with / capture->all_ranks_ns);
    if (without > 0)
        fprintf(file, ", %.3g %% in ones without: %.3g %% in %s",
                100 * without / capture->all_ranks_ns, 100 * kinds[most] / capture->all_ranks_ns,
                nuce_raw_kind_name(most));
    if (with + without > (1 + SHARES_SLACK) * capture->all_ranks_ns)
        fprintf(file, "; above 100 %%: calls that overlap count each");
    fputc('\n', file);
}

void nuce_capturing_tell(const struct nuce_capture *capture, const char *path, FILE *file)
{
    double bytes[NUCE_CAPTURE_QUALITIES] = {0}, sum = 0;
    char size[NUCE_UNITS_BYTES], span[NUCE_UNITS_BYTES], library[sizeof capture->library];
    int64_t calls = 0, messages = 0;

    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        double all = nuce_capturing_bytes(capture, pattern) * (double)pattern->calls;

        calls += pattern->calls;
        messages += pattern->calls * capture->topology[pattern->topology].messages;
        bytes[pattern->quality] += all;
        sum += all;
    }
    fprintf(file, "%s: %d rank%s", path, capture->ranks, nuce_text_plural(capture->ranks));
    if (capture->hosts > 0)
        fprintf(file, " on %d host%s", capture->hosts, nuce_text_plural(capture->hosts));
    if (capture->elapsed_ns > 0)
        fprintf(file, " for %s",
                nuce_units_format_seconds((double)capture->elapsed_ns * 1e-9, span));
    if (capture->library[0] != '\0')
        fprintf(file, ", %s", nuce_text_library(capture->library, library, sizeof library));
    fprintf(file, ": %d pattern%s, %lld call%s, %lld message%s, %s\n", capture->patterns,
            nuce_text_plural(capture->patterns), (long long)calls, nuce_text_plural(calls),
            (long long)messages, nuce_text_plural(messages), nuce_units_format_size(sum, size));
    if (capture->origin[0] != '\0')
        fprintf(file, "  imported: %s\n", capture->origin);
    if (sum > 0)
        fprintf(file,
                "  bytes: %.4g %% in exact rounds, %.4g %% in merged ones, %.4g %% in "
                "epochs\n",
                100 * bytes[NUCE_CAPTURE_EXACT] / sum, 100 * bytes[NUCE_CAPTURE_MERGED] / sum,
                100 * bytes[NUCE_CAPTURE_EPOCH] / sum);
    tell_shares(capture, file);
    tell_cost(capture->counters, file);
    tell_left_out(capture, file);
}

/* Stamps of calls as a table: a row for each rank in each call, by start. start_ns counts by rank
 * 0's clock since the first rank began. A call whose end was not seen has no duration, and a rank
 * without a part in a call has no row. */

static const char *const timeline_columns[] = {
    "start_ns", "duration_ns", "rank", "communicator", "call", "pattern", "kind",
};
enum { TIMELINE_COLUMNS = sizeof timeline_columns / sizeof *timeline_columns };

/* A rank in a call. */
struct timeline_entry {
    const struct nuce_capture_stamp *stamp;
    int rank, communicator, pattern;
    int64_t call; /* of the communicator, from 1 on */
};

/* By start; entries of the same nanosecond have a fixed order, so that a capture always gives the
 * same table. */
static int order_of_entries(const void *a, const void *b)
{
    const struct timeline_entry *x = a, *y = b;

    if (x->stamp->start_ns != y->stamp->start_ns)
        return x->stamp->start_ns < y->stamp->start_ns ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->communicator != y->communicator)
        return x->communicator - y->communicator;
    return (x->call > y->call) - (x->call < y->call);
}

/* room is the maximum: a stamp for each rank in each call. */
nuce_status nuce_capturing_timeline(const struct nuce_capture *capture, const char *path,
                                    struct nuce_grid *out, struct nuce_error *error)
{
    struct timeline_entry *entries;
    int64_t room = 0, count = 0;
    struct nuce_cell *cell;

    if (!capture->has_stamps)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "%s: has no times of single calls: expected a capture by 'nuce capture --trace'", path);
    for (int i = 0; i < capture->communicators; i++)
        room += capture->sequence[i].count * capture->communicator[i].size;
    entries = nuce_allocate(room, sizeof *entries);
    for (int number = 0; number < capture->communicators; number++) {
        const struct nuce_capture_communicator *communicator = &capture->communicator[number];
        const struct nuce_capture_sequence *sequence = &capture->sequence[number];
        const struct nuce_capture_stamp *stamp = sequence->stamp;
        int *patterns = nuce_capture_sequence_calls(sequence);

        for (int64_t call = 0; call < sequence->count; call++) {
            for (int i = 0; i < communicator->size; i++, stamp++) {
                if (stamp->start_ns >= 0)
                    entries[count++] = (struct timeline_entry){stamp, communicator->members[i],
                                                               number, patterns[call], call + 1};
            }
        }
        free(patterns);
    }
    if (count > 0)
        qsort(entries, (size_t)count, sizeof *entries, order_of_entries);
    nuce_grid_init(TIMELINE_COLUMNS, timeline_columns, out);
    for (int64_t i = 0; i < count; i++) {
        const struct timeline_entry *entry = &entries[i];
        const struct nuce_capture_pattern *pattern = &capture->pattern[entry->pattern];

        nuce_grid_add_row(out, &cell);
        nuce_cell_set_integer(&cell[0], entry->stamp->start_ns);
        if (entry->stamp->duration_ns >= 0)
            nuce_cell_set_integer(&cell[1], entry->stamp->duration_ns);
        nuce_cell_set_integer(&cell[2], entry->rank);
        nuce_cell_set_integer(&cell[3], entry->communicator);
        nuce_cell_set_integer(&cell[4], entry->call);
        nuce_cell_copy(&cell[5], NUCE_CELL_TEXT, pattern->id);
        nuce_cell_copy(&cell[6], NUCE_CELL_TEXT, nuce_raw_kind_name(pattern->kind));
    }
    free(entries);
    return NUCE_OK;
}
