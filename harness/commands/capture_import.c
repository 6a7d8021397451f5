/* Reads files of other tools into a capture: nuce capture import.
 *
 * There is one reader, for calls as text (capture/calls.h). A converter in awk (share/nuce/convert)
 * translates the output of other tools into that format; this file runs it. The beginning of the
 * first file selects the converter, or else the file's ending. The reader's intermediate raw files
 * are in OUTPUT.parts and are always removed. */
#include "commands/capturing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/data.h"
#include "base/scanner.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/process.h"
#include "capture/calls.h"

/* Longer files are refused (sum of all files). */
#define MOST_IMPORTED_BYTES ((int64_t)4 << 30)

/* A converter is killed after a day; no file takes that long. */
#define MOST_CONVERTING_S 86400

/* The formats of files. One with `instead` is not read; `instead` names the format to use. */
static const struct import_format {
    const char *name, *ending, *begins[3];
    const char *converter, *instead;
} formats[] = {
    {"calls", ".calls", {"ranks "}, NULL, NULL},
    {"csv", ".csv", {"source", "\"source"}, "csv.awk", NULL},
    {"dumpi", NULL, {"MPI_", "version="}, "dumpi.awk", NULL},
    {"otf2", NULL, {"=== OTF2-PRINT ==="}, "otf2.awk", NULL},
    {"dumpi",
     ".bin",
     {"\xff\xaa\xdd"
      "DUMPI"},
     NULL,
     "output of 'dumpi2ascii -a' for each rank's file"},
    {"dumpi", ".meta", {"hostname="}, NULL, "output of 'dumpi2ascii -a' for each rank's .bin file"},
    {"otf2", ".otf2", {"\3BOTF2", "\3LOTF2"}, NULL, "output of 'otf2-print -A -C' for it"},
    {"ptini",
     ".ptini",
     {"[format]", "[collective]"},
     NULL,
     "lines such as '0 alltoallv 0:4096 1:8', or a CSV file of each matrix"},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* The first format with a beginning that matches the text, after blank lines and comments, or with
 * the file's ending. A number begins a matrix. NULL: none. */
static const struct import_format *recognise(const char *name, const char *text, size_t length)
{
    struct nuce_scanner scanner;
    const struct import_format *csv = &formats[1];

    nuce_scanner_init(&scanner, name, text, length);
    nuce_scanner_skip_lines(&scanner, '#');
    for (int i = 0; i < FORMATS; i++) {
        for (int k = 0; k < 3 && formats[i].begins[k] != NULL; k++) {
            size_t begin = strlen(formats[i].begins[k]);

            if ((size_t)(scanner.end - scanner.at) >= begin &&
                strncasecmp(scanner.at, formats[i].begins[k], begin) == 0)
                return &formats[i];
        }
    }
    for (int i = 0; i < FORMATS; i++) {
        if (formats[i].ending != NULL && nuce_text_ends(name, formats[i].ending))
            return &formats[i];
    }
    if (scanner.at < scanner.end && (isdigit((unsigned char)*scanner.at) ||
                                     (*scanner.at == '"' && scanner.at + 1 < scanner.end &&
                                      isdigit((unsigned char)scanner.at[1]))))
        return csv;
    return NULL;
}

/* The format called `from`; NULL: that of the file. NULL with *error if there is none, or it is not
 * read. */
static const struct import_format *import_format_of(const char *from, const char *name,
                                                    const char *text, size_t length,
                                                    struct nuce_error *error)
{
    const struct import_format *format = from == NULL ? recognise(name, text, length) : NULL;

    for (int i = 0; from != NULL && format == NULL && i < FORMATS; i++)
        format = strcmp(formats[i].name, from) == 0 ? &formats[i] : NULL;
    if (format == NULL)
        (void)(from != NULL
                   ? nuce_error_refuse(error, "from",
                                       "'%.60s': expected one of calls, csv, dumpi, "
                                       "otf2",
                                       from)
                   : nuce_error_set(
                         error, NUCE_BAD_INPUT,
                         "%s: unknown format: expected a line ranks P, rows of bytes, a head line "
                         "source,destination,bytes, or output of dumpi2ascii or otf2-print",
                         name));
    else if (format->instead != NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s is not read: expected %s", name, format->name,
                       format->instead);
    return format == NULL || format->instead != NULL ? NULL : format;
}

/* The calls that the converter makes from the files, a new string in *out. awk would take a name
 * with = for an assignment, and - for its input. The converter's message about a bad file is the
 * last line of its output. */
static nuce_status convert(const struct import_format *format, char *const *files, int ranks,
                           int64_t unit, char **out, struct nuce_error *error)
{
    char *folder = nuce_data_path("convert", error);
    struct nuce_process_reply reply;
    json_t *argv;
    nuce_status status;

    if (folder == NULL)
        return error->status;
    argv = json_pack("[s, s, s, s, o, s, o, s, o, s]", "env", "LC_ALL=C", "awk", "-f",
                     nuce_process_word("%s/%s", folder, format->converter), "-v",
                     json_sprintf("unit=%lld", (long long)unit), "-v",
                     json_sprintf("ranks=%d", ranks), "--");
    free(folder);
    for (int i = 0; files[i] != NULL; i++) {
        int is_bare = *files[i] != '/' && (strchr(files[i], '=') != NULL || *files[i] == '-');

        json_array_append_new(argv, nuce_process_word("%s%s", is_bare ? "./" : "", files[i]));
    }
    status = nuce_process_run(argv, MOST_CONVERTING_S, &reply, error);
    json_decref(argv);
    if (status != NUCE_OK)
        return status;
    if (nuce_process_succeeded(&reply)) {
        *out = reply.out;
        reply.out = NULL;
    } else {
        char *complaint = nuce_process_complaint("awk", &reply), *line = reply.out;
        int is_refused = WIFEXITED(reply.status) && WEXITSTATUS(reply.status) == 2 && *line != '\0';

        if (is_refused) {
            line[strlen(line) - 1] = '\0';
            line = strrchr(line, '\n') == NULL ? line : strrchr(line, '\n') + 1;
        }
        status = nuce_error_set(error, is_refused ? NUCE_BAD_INPUT : NUCE_FAILED, "%s",
                                is_refused ? line : complaint);
        free(complaint);
    }
    nuce_process_reply_fini(&reply);
    return status;
}

nuce_status nuce_capturing_bring(char *const *files, const char *from, int ranks, int64_t unit,
                                 int epochs, const char *output, struct nuce_capture *out,
                                 struct nuce_error *error)
{
    const struct import_format *format;
    struct nuce_calls_text input = {.name = files[0], .ranks = ranks, .epochs = epochs};
    struct nuce_capture capture = {0};
    char *text, *calls = NULL, *name = NULL, *folder = NULL;
    int64_t bytes = 0;
    int count = 0, is_csv;

    /* First of all, refuses anything that is not a file, and files that are too long. */
    for (; files[count] != NULL; count++) {
        struct stat file;

        if (nuce_data_check_file(files[count], "a file to import", error) != NUCE_OK)
            return error->status;
        bytes += stat(files[count], &file) == 0 ? file.st_size : 0;
        if (bytes > MOST_IMPORTED_BYTES)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s: the files have more than 4 GiB, which is the limit",
                                  files[count]);
    }
    if (nuce_text_read(files[0], &text, &input.length, error) != NUCE_OK)
        return error->status;
    input.text = text;
    format = import_format_of(from, files[0], text, input.length, error);
    is_csv = format != NULL && strcmp(format->name, "csv") == 0;
    if (format != NULL && unit != 1 && !is_csv) {
        nuce_error_refuse(error, "unit", "only for csv files: %s has calls", files[0]);
        format = NULL;
    }
    if (is_csv && epochs) {
        nuce_error_refuse(error, "epochs", "only for files with calls: %s has sums", files[0]);
        format = NULL;
    }
    if (format != NULL && format->converter == NULL && count > 1) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected one file of calls, %d are given",
                       files[1], count);
        format = NULL;
    }
    if (format != NULL && format->converter != NULL &&
        convert(format, files, ranks, unit, &calls, error) == NUCE_OK) {
        name = nuce_text_format("%s, by %s", files[0], format->converter);
        input.name = name;
        input.text = calls;
        input.length = strlen(calls);
    }
    if (format != NULL && (format->converter == NULL || name != NULL))
        folder = nuce_capturing_make_parts(output, error);
    if (folder != NULL) {
        input.folder = folder;
        error->status = nuce_calls_read(&input, &capture, error);
        nuce_capturing_remove_parts(folder);
        if (error->status == NUCE_OK) {
            /* "dumpi app.txt and 3 more" */
            int length = snprintf(capture.origin, sizeof capture.origin, "%s %.200s", format->name,
                                  basename(files[0]));

            if (count > 1)
                snprintf(capture.origin + length, sizeof capture.origin - (size_t)length,
                         " and %d more", count - 1);
            error->status = nuce_capture_write(&capture, output, error);
        }
        if (error->status == NUCE_OK)
            *out = capture;
        else
            nuce_capture_fini(&capture);
    }
    free(folder);
    free(name);
    free(calls);
    free(text);
    return error->status;
}
