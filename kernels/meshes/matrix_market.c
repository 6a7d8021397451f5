/* Matrix Market's coordinate format: the graph of A + A^T without the diagonal, for square A.
 *
 * Source: Boisvert, Pozo, Remington: "The Matrix Market exchange formats: initial design", NISTIR
 * 5935, 1996. Values are read over: what an exchange depends on is where they are. Both triangles
 * of a general matrix may name an edge; it is there once. Cost: O(entries), but for the sorting of
 * rows. */
#include "meshes/graph.h"
#include "meshes/mesh.h"
#include "support/scanner.h"

/* A word of the banner and how many numbers an entry then carries. */
struct market_field {
    const char *name;
    int numbers;
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
    {"real", 1}, {"double", 1}, {"integer", 1}, {"complex", 2}, {"pattern", 0}, {NULL, 0},
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
    nuce_status status = nuce_scanner_word(scanner, expected, &word, error);

    if (status != NUCE_OK)
        return status;
    for (const struct market_field *field = allowed; field->name != NULL; field++) {
        if (nuce_word_is_nocase(word, field->name)) {
            *numbers = field->numbers;
            return NUCE_OK;
        }
    }
    return nuce_scanner_fail(scanner, word.text, error, "'%.*s' is not supported; expected %s",
                             nuce_word_quoted(word), word.text, expected);
}

/* The first line: what the file is. Dense arrays are refused: they have no graph worth
 * partitioning. */
static nuce_status read_banner(struct nuce_scanner *scanner, struct market_header *header,
                               struct nuce_error *error)
{
    static const struct market_field banner[] = {
        {"%%MatrixMarket", 0},
        {NULL, 0},
    };
    int none;
    nuce_status status = read_banner_word(scanner, banner, "%%MatrixMarket", &none, error);

    if (status == NUCE_OK)
        status = read_banner_word(scanner, objects, "matrix", &none, error);
    if (status == NUCE_OK)
        status = read_banner_word(scanner, layouts, "coordinate", &none, error);
    if (status == NUCE_OK)
        status = read_banner_word(scanner, fields, "real, integer, complex or pattern",
                                  &header->numbers, error);
    if (status == NUCE_OK)
        status = read_banner_word(scanner, symmetries,
                                  "general, symmetric, skew-symmetric or hermitian", &none, error);
    if (status == NUCE_OK)
        status = nuce_scanner_line_end(scanner, "the banner", error);
    return status;
}

/* The line `rows columns entries`. */
static nuce_status read_sizes(struct nuce_scanner *scanner, struct market_header *header,
                              struct nuce_error *error)
{
    int64_t length = scanner->end - scanner->text;
    int64_t columns;
    const char *columns_at;
    nuce_status status;

    if (!nuce_scanner_next_line(scanner) || !nuce_scanner_skip_lines(scanner, '%'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the file ends; expected a line: rows columns entries");
    /* A sane matrix has an entry in every row: more rows than bytes would only cost memory. */
    status = nuce_scanner_count(scanner, "rows", 1, INT32_MAX, length, &header->nodes, error);
    if (status != NUCE_OK)
        return status;
    (void)nuce_scanner_has_word(scanner);
    columns_at = scanner->at;
    status = nuce_scanner_integer(scanner, "the number of columns", 1, INT64_MAX, &columns, error);
    if (status != NUCE_OK)
        return status;
    if (columns != header->nodes)
        return nuce_scanner_fail(scanner, columns_at, error,
                                 "%lld columns; expected as many as rows, %lld", (long long)columns,
                                 (long long)header->nodes);
    status = nuce_scanner_count(scanner, "entries", 0, INT64_MAX, nuce_scanner_left(scanner),
                                &header->entries, error);
    if (status != NUCE_OK)
        return status;
    return nuce_scanner_line_end(scanner, "rows, columns and entries", error);
}

/* A line `row column [value [value]]`, from 1; the diagonal is no edge. */
static nuce_status read_entry(struct nuce_scanner *scanner, const struct market_header *header,
                              struct nuce_edge_list *list, struct nuce_error *error)
{
    int64_t row = 0, column = 0;
    double value;
    nuce_status status = nuce_scanner_integer(scanner, "a row", 1, header->nodes, &row, error);

    if (status == NUCE_OK)
        status = nuce_scanner_integer(scanner, "a column", 1, header->nodes, &column, error);
    for (int k = 0; k < header->numbers && status == NUCE_OK; k++)
        status = nuce_scanner_real(scanner, "a value", &value, error);
    if (status == NUCE_OK)
        status = nuce_scanner_line_end(scanner, "row, column and value", error);
    if (status == NUCE_OK && row != column)
        status = nuce_edge_list_add(list, (int32_t)(row - 1), (int32_t)(column - 1), error);
    return status;
}

/* As many entries as the header says, no more; comments may stand between them. */
static nuce_status read_entries(struct nuce_scanner *scanner, const struct market_header *header,
                                struct nuce_edge_list *list, struct nuce_error *error)
{
    for (int64_t k = 0; k < header->entries; k++) {
        nuce_status status;

        if (!nuce_scanner_next_line(scanner) || !nuce_scanner_skip_lines(scanner, '%'))
            return nuce_scanner_fail(scanner, scanner->at, error,
                                     "the file ends after %lld entries; expected %lld",
                                     (long long)k, (long long)header->entries);
        status = read_entry(scanner, header, list, error);
        if (status != NUCE_OK)
            return status;
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
    status = read_banner(&scanner, &header, error);
    if (status == NUCE_OK)
        status = read_sizes(&scanner, &header, error);
    if (status == NUCE_OK)
        status = read_entries(&scanner, &header, &list, error);
    if (status == NUCE_OK)
        status = nuce_mesh_from_edges(header.nodes, &list, out, error);
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
