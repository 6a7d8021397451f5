/* Matrix Market's coordinate format: the graph of A + A^T without the diagonal, for square A.
 *
 * Source: Boisvert, Pozo, Remington: "The Matrix Market exchange formats: initial design", NISTIR
 * 5935, 1996.
 *
 * Values of any form are skipped (Fortran's 1.0D+00 and 0.1-100, a complex number in brackets),
 * because an exchange depends only on their places. Both triangles of a general matrix may name an
 * edge, which is stored once.
 * Cost: O(rows + entries), plus the sorting of rows. */
#include "base/scanner.h"
#include "instances/mesh.h"

/* Largest number of rows for any number of entries. With more rows each needs a byte of the file;
 * otherwise an error in a number could cost all memory. */
#define FREE_ROWS (1 << 20)

/* The words of the banner: the values of each, and their form in messages. */
static const struct {
    const char *expected, *words[7];
} banner[] = {
    {"the banner '%%MatrixMarket matrix coordinate ...' as the first line",
     {"%%MatrixMarket", "%MatrixMarket" /* Network Repository */}},
    {"matrix", {"matrix"}},
    {"coordinate", {"coordinate"}},
    {"real, double, integer, unsigned-integer, complex or pattern",
     {"real", "double", "integer", "unsigned-integer", "complex", "pattern"}},
    {"general, symmetric, skew-symmetric or hermitian",
     {"general", "symmetric", "skew-symmetric", "hermitian"}},
};
enum { BANNER_WORDS = sizeof banner / sizeof *banner, FIELD = 3 };

/* The content of the banner and of the line of sizes. */
struct market_header {
    int numbers; /* values of an entry, after row and column */
    int64_t nodes, entries;
};

/* The first line identifies the file. Dense arrays are refused: they have no graph worth
 * partitioning. Then comes the line `rows columns entries`. If it is missing an entry is in its
 * place, with two numbers or a value after them; an entry of three whole numbers is most likely not
 * square. */
static nuce_status read_head(struct nuce_scanner *scanner, struct market_header *header,
                             struct nuce_error *error)
{
    int64_t length = scanner->end - scanner->text;
    int64_t columns;
    const char *rows_at, *columns_at;
    struct nuce_scanner ahead;

    for (int i = 0; i < BANNER_WORDS; i++) {
        const char *const *known = banner[i].words;
        struct nuce_word word;

        if (nuce_scanner_word(scanner, banner[i].expected, &word, error) != NUCE_OK)
            return error->status;
        while (*known != NULL && !nuce_word_is_nocase(word, *known))
            known++;
        if (*known == NULL)
            return nuce_scanner_fail(
                scanner, word.text, error, "'%.*s' is not supported%s; expected %s",
                nuce_word_quoted(word), word.text,
                nuce_word_is_nocase(word, "array") ? ": a dense matrix" : "", banner[i].expected);
        if (i == FIELD)
            header->numbers = nuce_word_is_nocase(word, "complex")   ? 2
                              : nuce_word_is_nocase(word, "pattern") ? 0
                                                                     : 1;
    }
    if (nuce_scanner_line_end(scanner, "the banner", error) != NUCE_OK)
        return error->status;
    if (!nuce_scanner_next_line(scanner) || !nuce_scanner_skip_lines(scanner, '%'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the file ends; expected a line: rows columns entries");
    rows_at = scanner->at;
    ahead = *scanner;
    for (int k = 0; k < 3; k++) {
        if (!nuce_scanner_has_word(&ahead) ||
            nuce_scanner_integer(&ahead, "", INT64_MIN, INT64_MAX, &columns, error) != NUCE_OK)
            return nuce_scanner_fail(scanner, rows_at, error,
                                     "no line of sizes; expected 'rows columns entries', three "
                                     "whole numbers, before the first entry");
    }
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

/* Reads exactly the number of entries in the header; comments may be between them. Each is a line
 * `row column [value [value]]`, from 1; the diagonal is not an edge. */
static nuce_status matrix_market_parse(const char *path, const char *text, size_t length,
                                       struct nuce_mesh *out, struct nuce_error *error)
{
    struct nuce_scanner scanner;
    struct market_header header = {0};
    struct nuce_edge_list list = {0};

    nuce_scanner_init(&scanner, path, text, length);
    if (read_head(&scanner, &header, error) != NUCE_OK)
        return error->status;
    error->status = NUCE_OK;
    for (int64_t k = 0; k < header.entries && error->status == NUCE_OK; k++) {
        int64_t row = 0, column = 0;
        bool is_bracket = false;
        struct nuce_word word;

        if (!nuce_scanner_next_line(&scanner) || !nuce_scanner_skip_lines(&scanner, '%')) {
            nuce_scanner_fail(&scanner, scanner.at, error,
                              "the file ends after %lld entries; expected %lld", (long long)k,
                              (long long)header.entries);
            break;
        }
        if (nuce_scanner_index(&scanner, "a row", 1, header.nodes, &row, error) != NUCE_OK ||
            nuce_scanner_index(&scanner, "a column", 1, header.nodes, &column, error) != NUCE_OK)
            break;
        /* The value is skipped. Fortran writes a complex number in brackets, which may be one word,
         * (1,2), or several. */
        for (int n = 0; n < header.numbers || is_bracket; n++) {
            if (nuce_scanner_word(&scanner, "a value", &word, error) != NUCE_OK)
                break;
            is_bracket |= word.text[0] == '(';
            if (is_bracket && word.text[word.length - 1] == ')')
                break;
        }
        if (error->status == NUCE_OK &&
            nuce_scanner_line_end(&scanner, "row, column and value", error) == NUCE_OK &&
            row != column)
            nuce_edge_list_add(&list, (int32_t)(row - 1), (int32_t)(column - 1));
    }
    if (error->status == NUCE_OK && nuce_scanner_next_line(&scanner) &&
        nuce_scanner_skip_lines(&scanner, '%'))
        nuce_scanner_fail(&scanner, scanner.at, error, "a line too many; expected %lld entries",
                          (long long)header.entries);
    if (error->status == NUCE_OK)
        nuce_mesh_from_edges(header.nodes, &list, out);
    nuce_edge_list_fini(&list);
    return error->status;
}

static const char *const endings[] = {".mtx", NULL};

const struct nuce_mesh_format nuce_mesh_matrix_market = {
    .name = "matrix-market",
    .summary = "Matrix Market coordinate file: the graph of A + A^T of a square matrix",
    .endings = endings,
    .parse = matrix_market_parse,
};
