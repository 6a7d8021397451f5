/* The graph format of METIS and Chaco: a header `nodes edges [fmt [ncon]]`, then a line for each
 * node with its neighbours, numbered from 1; lines that begin with % are comments. fmt has three
 * digits: node sizes, node weights (ncon of them; 0 is 1, as for gpmetis), edge weights.
 *
 * Source: Karypis: "METIS manual", version 5.1, 4.1.1.
 *
 * Sizes and weights of any form are skipped: nuce's nodes and edges all count 1, and the mesh's
 * note says so.
 * Cost: O(edges log degree), 16 bytes per neighbour during the reading, for the places of
 * errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/scanner.h"
#include "instances/mesh.h"

/* The content of the first line. */
struct graph_header {
    int64_t nodes, edges;
    int64_t weights; /* numbers before the neighbours of a node */
    bool edge_weights;
    const char *edges_at; /* place of the edge count */
    const char *note;     /* note for the mesh */
};

/* A neighbour with its place in the text. */
struct graph_entry {
    int32_t node;
    const char *at;
};

/* The neighbours of all nodes, row by row. */
struct graph_rows {
    int64_t *start; /* nodes + 1 */
    struct graph_entry *entry;
    int64_t count, capacity;
    const char *empty_at; /* the first empty line of a node; NULL: none */
    int64_t empty_node;   /* its node, from 0 */
};

/* Notes on unused content, by the digits of fmt. */
static const char *const notes[] = {
    NULL,
    "the weights of edges are not used: each counts 1",
    "the weights of nodes are not used: each counts 1",
    "the weights of nodes and edges are not used: each counts 1",
    "the sizes of nodes are not used: each counts 1",
    "the sizes of nodes and the weights of edges are not used: each counts 1",
    "the sizes and weights of nodes are not used: each counts 1",
    "the sizes and weights of nodes and the weights of edges are not used: each counts 1",
};

/* The counts are checked against the length of the text before memory is allocated. */
static nuce_status metis_read_header(struct nuce_scanner *scanner, struct graph_header *header,
                                     struct nuce_error *error)
{
    if (!nuce_scanner_skip_lines(scanner, '%'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the file is empty; expected a header: nodes edges [format]");
    char digits[3] = {'0', '0', '0'};
    int64_t constraints = 1;
    bool is_format = true;
    struct nuce_word word;

    /* Every node has a line and every edge two numbers, which bounds the counts by the text. */
    if (nuce_scanner_count(scanner, "nodes", 1, INT32_MAX, nuce_scanner_left(scanner),
                           &header->nodes, error) != NUCE_OK)
        return error->status;
    nuce_scanner_has_word(scanner);
    header->edges_at = scanner->at;
    if (nuce_scanner_count(scanner, "edges", 0, INT64_MAX, nuce_scanner_left(scanner) / 2,
                           &header->edges, error) != NUCE_OK)
        return error->status;
    /* The rest of the header, `fmt [ncon]`, is optional. */
    if (!nuce_scanner_has_word(scanner))
        return NUCE_OK;
    nuce_scanner_word(scanner, "the format", &word, error);
    for (int i = 0; i < word.length; i++)
        is_format = is_format && (word.text[i] == '0' || word.text[i] == '1');
    if (!is_format || word.length > 3)
        return nuce_scanner_fail(scanner, word.text, error,
                                 "'%.*s' is not a format; expected up to three digits 0 or 1",
                                 nuce_word_quoted(word), word.text);
    memcpy(digits + 3 - word.length, word.text, (size_t)word.length);
    if (nuce_scanner_has_word(scanner)) {
        if (nuce_scanner_integer(scanner, "the number of node weights", 0,
                                 nuce_scanner_left(scanner) + 1, &constraints, error) != NUCE_OK)
            return error->status;
        constraints += constraints == 0;
    }
    header->weights = (digits[0] == '1') + (digits[1] == '1' ? constraints : 0);
    header->edge_weights = digits[2] == '1';
    header->note = notes[4 * (digits[0] == '1') + 2 * (digits[1] == '1') + header->edge_weights];
    return nuce_scanner_line_end(scanner, "nodes, edges, format and number of weights", error);
}

/* Reads a line for each node; an empty one is a node without neighbours, unlike in other
 * formats. */
static nuce_status metis_read_rows(struct nuce_scanner *scanner, const struct graph_header *header,
                                   struct graph_rows *rows, struct nuce_error *error)
{
    struct nuce_word weight;
    int64_t value;

    for (int64_t node = 0; node < header->nodes; node++) {
        do {
            if (!nuce_scanner_next_line(scanner))
                return nuce_scanner_fail(scanner, scanner->at, error,
                                         "the file ends after %lld nodes; expected %lld, a line "
                                         "for each, an empty one without neighbours",
                                         (long long)node, (long long)header->nodes);
        } while (*scanner->at == '%');
        rows->start[node] = rows->count;
        if (rows->empty_at == NULL && !nuce_scanner_has_word(scanner)) {
            rows->empty_at = scanner->at;
            rows->empty_node = node;
        }
        for (int64_t k = 0; k < header->weights; k++) {
            if (nuce_scanner_word(scanner, "a size or weight of the node", &weight, error) !=
                NUCE_OK)
                return error->status;
        }
        while (nuce_scanner_has_word(scanner)) {
            const char *at = scanner->at;

            if (nuce_scanner_index(scanner, "a neighbour's number", 1, header->nodes, &value,
                                   error) != NUCE_OK)
                return error->status;
            if (value == node + 1)
                return nuce_scanner_fail(scanner, at, error,
                                         "node %lld lists itself; expected other nodes only",
                                         (long long)value);
            nuce_allocate_more((void **)&rows->entry, &rows->capacity, rows->count + 1,
                               sizeof *rows->entry);
            rows->entry[rows->count++] =
                (struct graph_entry){.node = (int32_t)(value - 1), .at = at};
            if (header->edge_weights &&
                nuce_scanner_word(scanner, "the weight of the edge", &weight, error) != NUCE_OK)
                return error->status;
        }
    }
    rows->start[header->nodes] = rows->count;
    if (nuce_scanner_next_line(scanner) && nuce_scanner_skip_lines(scanner, '%'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "a line too many; expected %lld, one for each node",
                                 (long long)header->nodes);
    if (rows->count != 2 * header->edges)
        return nuce_scanner_fail(scanner, header->edges_at, error,
                                 "%lld edges, but %lld neighbours are listed; expected two for "
                                 "each edge",
                                 (long long)header->edges, (long long)rows->count);
    return NUCE_OK;
}

/* By node, then by place in the text, so that the error is about the second of two. */
static int metis_compare_entries(const void *a, const void *b)
{
    const struct graph_entry *left = a, *right = b;

    if (left->node != right->node)
        return left->node < right->node ? -1 : 1;
    return (left->at > right->at) - (left->at < right->at);
}

static int metis_compare_nodes(const void *a, const void *b)
{
    return ((const struct graph_entry *)a)->node - ((const struct graph_entry *)b)->node;
}

/* Sorts the rows. Then checks that no neighbour occurs twice, and that each lists the node in
 * turn. */
static nuce_status metis_check_rows(const struct nuce_scanner *scanner, int64_t nodes,
                                    struct graph_rows *rows, struct nuce_error *error)
{
    if (rows->count == 0) /* then entry is NULL */
        return NUCE_OK;
    for (int64_t i = 0; i < nodes; i++) {
        struct graph_entry *first = rows->entry + rows->start[i],
                           *last = rows->entry + rows->start[i + 1];

        if (first == last)
            continue;
        qsort(first, (size_t)(last - first), sizeof *first, metis_compare_entries);
        for (const struct graph_entry *entry = first + 1; entry < last; entry++) {
            if (entry->node == entry[-1].node)
                return nuce_scanner_fail(scanner, entry->at, error,
                                         "node %lld lists node %d twice; expected once",
                                         (long long)i + 1, entry->node + 1);
        }
    }
    for (int64_t i = 0; i < nodes; i++) {
        for (int64_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
            int32_t neighbor = rows->entry[k].node;
            const struct graph_entry wanted = {.node = (int32_t)i};
            const int64_t *its = &rows->start[neighbor];

            if (its[0] == its[1] ||
                bsearch(&wanted, rows->entry + its[0], (size_t)(its[1] - its[0]), sizeof wanted,
                        metis_compare_nodes) == NULL)
                return nuce_scanner_fail(scanner, rows->entry[k].at, error,
                                         "node %lld lists node %d, but node %d does not list node "
                                         "%lld; expected a symmetric graph",
                                         (long long)i + 1, neighbor + 1, neighbor + 1,
                                         (long long)i + 1);
        }
    }
    return NUCE_OK;
}

/* Rows are checked after all were read: symmetry is a property of the whole graph. */
static nuce_status metis_parse(const char *path, const char *text, size_t length,
                               struct nuce_mesh *out, struct nuce_error *error)
{
    struct nuce_scanner scanner;
    struct graph_header header = {0};
    struct graph_rows rows = {0};
    nuce_status status;

    nuce_scanner_init(&scanner, path, text, length);
    if (metis_read_header(&scanner, &header, error) != NUCE_OK ||
        nuce_allocate_check(header.nodes + 1, sizeof *rows.start, error) != NUCE_OK)
        return error->status;
    rows.start = nuce_allocate(header.nodes + 1, sizeof *rows.start);
    status = metis_read_rows(&scanner, &header, &rows, error);
    if (status == NUCE_OK)
        status = metis_check_rows(&scanner, header.nodes, &rows, error);
    if (status == NUCE_OK) {
        *out = (struct nuce_mesh){
            .nodes = header.nodes,
            .edges = header.edges,
            .start = rows.start,
            .neighbor = nuce_allocate(rows.count, sizeof *out->neighbor),
            .note = header.note,
        };
        for (int64_t k = 0; k < rows.count; k++)
            out->neighbor[k] = rows.entry[k].node;
        rows.start = NULL;
    } else if (status == NUCE_BAD_INPUT && rows.empty_at != NULL) {
        size_t told = strlen(error->message);

        /* An extra blank line shifts the numbers of all nodes after it. */
        snprintf(error->message + told, sizeof error->message - told,
                 " (the empty line %lld is node %lld, without neighbours)",
                 (long long)nuce_scanner_line(&scanner, rows.empty_at, NULL),
                 (long long)rows.empty_node + 1);
    }
    free(rows.entry);
    free(rows.start);
    return status;
}

static const char *const endings[] = {".graph", ".metis", NULL};

const struct nuce_mesh_format nuce_mesh_metis_graph = {
    .name = "metis",
    .summary = "METIS or Chaco graph: a line of neighbours for each node",
    .endings = endings,
    .parse = metis_parse,
};
