/* Traffic matrices as people keep them: P rows of P numbers, row by source (what the alltoallv test
 * of nccl-tests reads), or a list with a head line `source,destination,bytes`. Cells are separated
 * by commas, semicolons, tabs or blanks; a number may have a unit (4KiB), and one without has that
 * which the user says (--unit): nccl-tests counts in KiB. Empty lines and what follows # are passed
 * over. Each file is a call of the same ranks.
 *
 * What a matrix leaves open is how many messages a sum was, and when: its quality is merged.
 *
 * Cost: O(cells) time; memory for the messages that have bytes alone. At most
 * NUCE_MATRICES_MOST_MESSAGES cells in all files are read. */
#include <ctype.h>
#include <string.h>

#include "imports/importer.h"
#include "imports/matrices.h"
#include "support/int.h"
#include "support/scanner.h"
#include "support/units.h"

/* Room for a number with its unit; what is cut is no number any more, and refused. */
#define CELL_BYTES 64

struct csv_reader {
    struct nuce_scanner scanner;
    const struct nuce_import_input *input;
    struct nuce_matrices *matrices;
    int64_t messages; /* read, of all files */
};

/* Takes the cell here, zero-ended to `cell`, with what separates it from the next; *more: whether
 * one follows in this line; *place: where it began. Blanks separate too, so that `1 2` are two
 * cells, and `1 , 2` as well. An empty cell is refused, and so is a separator at the line's end: a
 * matrix with a hole is a slip. */
static nuce_status csv_cell(struct nuce_scanner *scanner, const char *what, char cell[CELL_BYTES],
                            const char **place, int *more, struct nuce_error *error)
{
    static const char cell_ends[] = ",; \t\r\v\f\n#";
    int length = 0;

    (void)nuce_scanner_has_word(scanner);
    *place = scanner->at;
    while (scanner->at < scanner->end &&
           memchr(cell_ends, *scanner->at, sizeof cell_ends - 1) == NULL) {
        if (length < CELL_BYTES - 1)
            cell[length++] = *scanner->at;
        scanner->at++;
    }
    cell[length] = '\0';
    if (length == 0)
        return nuce_scanner_fail(scanner, *place, error, "an empty cell: expected %s", what);
    *more = nuce_scanner_has_word(scanner);
    if (*more && (*scanner->at == ',' || *scanner->at == ';')) {
        scanner->at++;
        if (!nuce_scanner_has_word(scanner))
            return nuce_scanner_fail(scanner, scanner->at, error,
                                     "the line ends behind a separator: expected %s", what);
    }
    return NUCE_OK;
}

/* The cell as bytes: with its own unit, or times input->unit. What overflows is beyond the most,
 * and refused as that. */
static nuce_status csv_bytes(const struct csv_reader *reader, const char *cell, const char *place,
                             int64_t *out, struct nuce_error *error)
{
    size_t digits = strspn(cell, "0123456789");
    int64_t bytes;

    if (nuce_units_parse_bytes(cell, &bytes, error) != NUCE_OK)
        return nuce_scanner_fail(&reader->scanner, place, error,
                                 "'%.40s': expected bytes, such as 4096 or 4KiB", cell);
    if (cell[digits] == '\0' && __builtin_mul_overflow(bytes, reader->input->unit, &bytes))
        bytes = INT64_MAX;
    if (bytes > NUCE_MATRICES_MOST_BYTES)
        return nuce_scanner_fail(&reader->scanner, place, error,
                                 "'%.40s': expected at most 1024TiB", cell);
    *out = bytes;
    return NUCE_OK;
}

/* Adds a message, counted with those of all files: one of 0 bytes counts as well, for it was a
 * cell. */
static nuce_status csv_take(struct csv_reader *reader, const char *place, int source,
                            int destination, int64_t bytes, struct nuce_error *error)
{
    if (++reader->messages > NUCE_MATRICES_MOST_MESSAGES)
        return nuce_scanner_fail(&reader->scanner, place, error,
                                 "more than %lld cells: nothing that large is read",
                                 (long long)NUCE_MATRICES_MOST_MESSAGES);
    return nuce_matrices_add(reader->matrices, source, destination, bytes, error);
}

/* Reads a row, the messages of one source. *columns is how many cells it must have, 0: any, and is
 * set to how many it had. */
static nuce_status csv_row(struct csv_reader *reader, int source, int *columns,
                           struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    const char *place = scanner->at;
    char cell[CELL_BYTES];
    int64_t bytes;
    int count = 0, more = 1;

    while (more) {
        if (csv_cell(scanner, "bytes", cell, &place, &more, error) != NUCE_OK ||
            csv_bytes(reader, cell, place, &bytes, error) != NUCE_OK)
            return error->status;
        if (*columns > 0 && count == *columns)
            return nuce_scanner_fail(scanner, place, error,
                                     "'%.40s': the row goes on: expected %d cells, as many as rows",
                                     cell, *columns);
        if (csv_take(reader, place, source, count++, bytes, error) != NUCE_OK)
            return error->status;
    }
    if (*columns > 0 && count < *columns)
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the row ends after %d cells: expected %d, as many as rows", count,
                                 *columns);
    *columns = count;
    return NUCE_OK;
}

/* Rows until the file ends, as many as cells in the first one. *ranks as *columns of csv_row. */
static nuce_status csv_matrix(struct csv_reader *reader, int *ranks, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    int columns = *ranks, row = 0;

    do {
        if (columns > 0 && row == columns)
            return nuce_scanner_fail(scanner, scanner->at, error,
                                     "row %d: expected %d rows, as many as cells in one", row + 1,
                                     columns);
        if (csv_row(reader, row++, &columns, error) != NUCE_OK)
            return error->status;
    } while (nuce_scanner_skip_lines(scanner, '#'));
    if (row < columns)
        return nuce_scanner_fail(
            scanner, scanner->end, error,
            "the file ends after %d rows: expected %d, as many as cells in one", row, columns);
    *ranks = columns;
    return NUCE_OK;
}

/* The next cell as a rank, 0 .. ranks - 1; ranks 0: not known, any up to what a pattern may
 * have. */
static nuce_status csv_rank(struct csv_reader *reader, const char *what, int ranks, int *out,
                            struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    int64_t most = (ranks > 0 ? ranks : NUCE_PATTERN_MAX_RANKS) - 1, value = 0;
    const char *place;
    char cell[CELL_BYTES];
    int more;

    if (csv_cell(scanner, what, cell, &place, &more, error) != NUCE_OK)
        return error->status;
    for (const char *c = cell; *c != '\0'; c++) {
        value = *c >= '0' && *c <= '9' && value <= most ? 10 * value + (*c - '0') : most + 1;
        if (value > most)
            return nuce_scanner_fail(scanner, place, error, "'%.40s': expected %s, 0 to %lld", cell,
                                     what, (long long)most);
    }
    if (!more)
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the line ends here: expected source,destination,bytes");
    *out = (int)value;
    return NUCE_OK;
}

/* Lines source,destination,bytes until the file ends. *ranks 0 becomes one more than the highest
 * rank that is named; lines of the same pair are messages of their own. */
static nuce_status csv_list(struct csv_reader *reader, int *ranks, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    int most = -1, more;

    while (nuce_scanner_skip_lines(scanner, '#')) {
        const char *place;
        char cell[CELL_BYTES];
        int source, destination;
        int64_t bytes;

        if (csv_rank(reader, "the source rank", *ranks, &source, error) != NUCE_OK ||
            csv_rank(reader, "the destination rank", *ranks, &destination, error) != NUCE_OK ||
            csv_cell(scanner, "bytes", cell, &place, &more, error) != NUCE_OK ||
            csv_bytes(reader, cell, place, &bytes, error) != NUCE_OK)
            return error->status;
        if (more)
            return nuce_scanner_fail(scanner, scanner->at, error,
                                     "the line goes on: expected source,destination,bytes");
        if (csv_take(reader, place, source, destination, bytes, error) != NUCE_OK)
            return error->status;
        most = source > most ? source : most;
        most = destination > most ? destination : most;
    }
    *ranks = *ranks > 0 ? *ranks : most + 1;
    return NUCE_OK;
}

/* Whether the line here is the head of a list, which is then passed; if not, nothing is. */
static int csv_take_head(struct nuce_scanner *scanner)
{
    static const char *const names[] = {"source", "destination", "bytes"};
    const char *start = scanner->at;
    struct nuce_error ignored;
    int more = 1;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *place;
        char cell[CELL_BYTES];

        if (!more || csv_cell(scanner, "a name", cell, &place, &more, &ignored) != NUCE_OK ||
            strcmp(cell, names[i]) != 0) {
            scanner->at = start;
            return 0;
        }
    }
    if (more)
        scanner->at = start;
    return !more;
}

/* One file, one call. A letter at its beginning can only be the head of a list. */
static nuce_status csv_file(struct csv_reader *reader, int *ranks, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    nuce_status status;

    if (!nuce_scanner_skip_lines(scanner, '#'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the file is empty: expected rows of bytes, or a head line "
                                 "source,destination,bytes");
    if (isalpha((unsigned char)*scanner->at)) {
        const char *start = scanner->at;

        if (!csv_take_head(scanner))
            return nuce_scanner_fail(scanner, start, error,
                                     "expected a row of bytes, or source,destination,bytes");
        status = csv_list(reader, ranks, error);
        if (status == NUCE_OK && *ranks == 0)
            return nuce_scanner_fail(scanner, scanner->at, error,
                                     "the file ends here: expected source,destination,bytes");
    } else {
        status = csv_matrix(reader, ranks, error);
    }
    if (status == NUCE_OK)
        status = nuce_matrices_end_call(reader->matrices, *ranks, NUCE_RAW_KIND_matrix,
                                        NUCE_CAPTURE_MERGED, error);
    return status;
}

static nuce_status csv_import(const struct nuce_import_input *input, struct nuce_capture *out,
                              struct nuce_error *error)
{
    struct nuce_matrices matrices;
    struct csv_reader reader = {.input = input, .matrices = &matrices};
    int ranks = input->ranks;
    nuce_status status = NUCE_OK;

    nuce_matrices_init(&matrices);
    for (int i = 0; status == NUCE_OK && i < input->count; i++) {
        const struct nuce_import_text *file = &input->files[i];

        nuce_scanner_init(&reader.scanner, file->name, file->text, file->length);
        reader.scanner.comment = '#';
        status = csv_file(&reader, &ranks, error);
    }
    if (status == NUCE_OK)
        status = nuce_matrices_finish(&matrices, out, error);
    nuce_matrices_fini(&matrices);
    return status;
}

/* A number or the head line. Any other text is left to the other formats. */
static int csv_recognises(const char *text, size_t length)
{
    struct nuce_scanner scanner;

    nuce_scanner_init(&scanner, "", text, length);
    scanner.comment = '#';
    return nuce_scanner_skip_lines(&scanner, '#') &&
           (isdigit((unsigned char)*scanner.at) || csv_take_head(&scanner));
}

const struct nuce_importer_ops nuce_importer_traffic_csv = {
    .name = "csv",
    .summary = "traffic matrices: rows of bytes, or lines source,destination,bytes",
    .source = "nccl-tests, alltoallv",
    .recognises = csv_recognises,
    .import = csv_import,
};
