/* Matrix Market's coordinate format: the graph of A + A^T without the diagonal, for square A.
 *
 * Source: Boisvert, Pozo, Remington: "The Matrix Market exchange formats: initial design", NISTIR
 * 5935, 1996. Values are read over, whatever they are (Fortran's 1.0D+00 and 0.1-100, a complex
 * number in brackets): what an exchange depends on is where they are. Both triangles of a general
 * matrix may name an edge; it is there once. Cost: O(rows + entries), but for the sorting of rows.
 */
#include "base/scanner.h"
#include "instances/mesh.h"

/* A matrix of so many rows is read however few entries it has; of more rows each needs a byte of
 * the file, or a slip in a number would cost all memory. */
#define FREE_ROWS (1 << 20)

/* A word of the banner and how many numbers an entry then carries. */
struct market_field {
    const char *name;
    int numbers;
};

static const struct market_field banners[] = {
    {"%%MatrixMarket", 0},
    {"%MatrixMarket", 0}, /* Network Repository */
    {NULL, 0},
};
static const struct market_field objects[] = {
    {"matrix", 0},
    {NULL, 0},
};
static const struct market_field layouts[] = {
    {"coordinate", 0},
    {NULL, 0},
};
static const struct market_field fields[] = {
    {"real", 1},    {"double", 1},  {"integer", 1}, {"unsigned-integer", 1},
    {"complex", 2}, {"pattern", 0}, {NULL, 0},
};
static const struct market_field symmetries[] = {
    {"general", 0}, {"symmetric", 0}, {"skew-symmetric", 0}, {"hermitian", 0}, {NULL, 0},
};

/* What the banner and the line of sizes say. */
struct market_header {
    int numbers; /* values of an entry, after row and column */
    int64_t nodes, entries;
};

/* The next word of the banner must be one of allowed, in either case; *numbers is what it says. */
static nuce_status read_banner_word(struct nuce_scanner *scanner,
                                    const struct market_field *allowed, const char *expected,
                                    int *numbers, struct nuce_error *error)
{
    struct nuce_word word;

    if (nuce_scanner_word(scanner, expected, &word, error) != NUCE_OK)
        return error->status;
    for (const struct market_field *field = allowed; field->name != NULL; field++) {
        if (nuce_word_is_nocase(word, field->name)) {
            *numbers = field->numbers;
            return NUCE_OK;
        }
    }
    return nuce_scanner_fail(
        scanner, word.text, error, "'%.*s' is not supported%s; expected %s", nuce_word_quoted(word),
        word.text, nuce_word_is_nocase(word, "array") ? ": a dense matrix" : "", expected);
}

/* The first line: what the file is. Dense arrays are refused: they have no graph worth
 * partitioning. */
static nuce_status read_banner(struct nuce_scanner *scanner, struct market_header *header,
                               struct nuce_error *error)
{
    int none;

    if (read_banner_word(scanner, banners,
                         "the banner '%%MatrixMarket matrix coordinate ...' as the first line",
                         &none, error) != NUCE_OK ||
        read_banner_word(scanner, objects, "matrix", &none, error) != NUCE_OK ||
        read_banner_word(scanner, layouts, "coordinate", &none, error) != NUCE_OK ||
        read_banner_word(scanner, fields,
                         "real, double, integer, unsigned-integer, complex or pattern",
                         &header->numbers, error) != NUCE_OK ||
        read_banner_word(scanner, symmetries, "general, symmetric, skew-symmetric or hermitian",
                         &none, error) != NUCE_OK)
        return error->status;
    return nuce_scanner_line_end(scanner, "the banner", error);
}

/* Whether the line here can be one of sizes: three whole numbers. The scanner stays where it is. */
static bool is_line_of_sizes(struct nuce_scanner scanner)
{
    struct nuce_error ignored;
    int64_t number;

    for (int k = 0; k < 3; k++) {
        if (!nuce_scanner_has_word(&scanner) ||
            nuce_scanner_integer(&scanner, "", INT64_MIN, INT64_MAX, &number, &ignored) != NUCE_OK)
            return false;
    }
    return true;
}

/* The line `rows columns entries`. Where it is missing an entry is in its place, which has two
 * numbers or a value behind them; one of three whole numbers is most likely not square. */
static nuce_status read_sizes(struct nuce_scanner *scanner, struct market_header *header,
                              struct nuce_error *error)
{
    int64_t length = scanner->end - scanner->text;
    int64_t columns;
    const char *rows_at, *columns_at;

    if (!nuce_scanner_next_line(scanner) || !nuce_scanner_skip_lines(scanner, '%'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the file ends; expected a line: rows columns entries");
    rows_at = scanner->at;
    if (!is_line_of_sizes(*scanner))
        return nuce_scanner_fail(scanner, rows_at, error,
                                 "no line of sizes; expected 'rows columns entries', three whole "
                                 "numbers, before the first entry");
    if (nuce_scanner_integer(scanner, "the number of rows", 1, INT32_MAX, &header->nodes, error) !=
        NUCE_OK)
        return error->status;
    nuce_scanner_has_word(scanner);
    columns_at = scanner->at;
    if (nuce_scanner_integer(scanner, "the number of columns", 1, INT64_MAX, &columns, error) !=
        NUCE_OK)
        return error->status;
    if (columns != header->nodes)
        return nuce_scanner_fail(scanner, columns_at, error,
                                 "%lld columns; expected as many as rows, %lld (if this is an "
                                 "entry, the line 'rows columns entries' is missing before it)",
                                 (long long)columns, (long long)header->nodes);
    if (header->nodes > FREE_ROWS && header->nodes > length)
        return nuce_scanner_fail(scanner, rows_at, error,
                                 "%lld rows in a file of %lld bytes; expected at most %d, or a "
                                 "byte for each",
                                 (long long)header->nodes, (long long)length, FREE_ROWS);
    if (nuce_scanner_count(scanner, "entries", 0, INT64_MAX, nuce_scanner_left(scanner),
                           &header->entries, error) != NUCE_OK)
        return error->status;
    return nuce_scanner_line_end(scanner, "rows, columns and entries", error);
}

/* Passes over the value of an entry. Fortran writes a complex number in brackets, which may be one
 * word, (1,2), or several. */
static nuce_status skip_value(struct nuce_scanner *scanner, int numbers, struct nuce_error *error)
{
    struct nuce_word word;
    bool is_bracket = false;

    for (int k = 0; k < numbers || is_bracket; k++) {
        if (nuce_scanner_word(scanner, "a value", &word, error) != NUCE_OK)
            return error->status;
        is_bracket |= word.text[0] == '(';
        if (is_bracket && word.text[word.length - 1] == ')')
            break;
    }
    return NUCE_OK;
}

/* As many entries as the header says, no more; comments may stand between them. Each is a line `row
 * column [value [value]]`, from 1; the diagonal is no edge. */
static nuce_status read_entries(struct nuce_scanner *scanner, const struct market_header *header,
                                struct nuce_edge_list *list, struct nuce_error *error)
{
    for (int64_t k = 0; k < header->entries; k++) {
        int64_t row = 0, column = 0;

        if (!nuce_scanner_next_line(scanner) || !nuce_scanner_skip_lines(scanner, '%'))
            return nuce_scanner_fail(scanner, scanner->at, error,
                                     "the file ends after %lld entries; expected %lld",
                                     (long long)k, (long long)header->entries);
        if (nuce_scanner_index(scanner, "a row", 1, header->nodes, &row, error) != NUCE_OK ||
            nuce_scanner_index(scanner, "a column", 1, header->nodes, &column, error) != NUCE_OK ||
            skip_value(scanner, header->numbers, error) != NUCE_OK ||
            nuce_scanner_line_end(scanner, "row, column and value", error) != NUCE_OK)
            return error->status;
        if (row != column)
            nuce_edge_list_add(list, (int32_t)(row - 1), (int32_t)(column - 1));
    }
    if (nuce_scanner_next_line(scanner) && nuce_scanner_skip_lines(scanner, '%'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "a line too many; expected %lld entries",
                                 (long long)header->entries);
    return NUCE_OK;
}

static nuce_status matrix_market_parse(const char *path, const char *text, size_t length,
                                       struct nuce_mesh *out, struct nuce_error *error)
{
    struct nuce_scanner scanner;
    struct market_header header = {0};
    struct nuce_edge_list list = {0};
    nuce_status status;

    nuce_scanner_init(&scanner, path, text, length);
    if (read_banner(&scanner, &header, error) != NUCE_OK ||
        read_sizes(&scanner, &header, error) != NUCE_OK)
        return error->status;
    status = read_entries(&scanner, &header, &list, error);
    if (status == NUCE_OK)
        nuce_mesh_from_edges(header.nodes, &list, out);
    nuce_edge_list_fini(&list);
    return status;
}

static const char *const endings[] = {".mtx", NULL};

const struct nuce_mesh_format nuce_mesh_matrix_market = {
    .name = "matrix-market",
    .summary = "Matrix Market coordinate file: the graph of A + A^T of a square matrix",
    .endings = endings,
    .parse = matrix_market_parse,
};
