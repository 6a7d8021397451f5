/* Gmsh's .msh files, ASCII, versions 2.2 and 4.1. The graph is the edges of the elements of the
 * highest dimension in the file; nodes of no such element (construction points) are dropped, the
 * others numbered in the order of their tags. Elements of first order only.
 *
 * Source: Geuzaine, Remacle: "Gmsh reference manual", 4.8, chapter 9. */
#include <stdlib.h>
#include <string.h>

#include "meshes/graph.h"
#include "meshes/mesh.h"
#include "support/memory.h"
#include "support/scanner.h"

#define MOST_CORNERS 8

struct element_type {
    int number; /* Gmsh's */
    int dimension, corners, edges;
    int edge[12][2];
};

/* Corners and edges as in the manual's 9.2, "Node ordering". */
static const struct element_type element_types[] = {
    {15, 0, 1, 0, {{0}}                                                                   }, /* point */
    {1,  1, 2, 1, {{0, 1}}                                                                },
    {2,  2, 3, 3, {{0, 1}, {1, 2}, {2, 0}}                                                },
    {3,  2, 4, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}                                        },
    {4,  3, 4, 6, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}                        },
 /* hexahedron, prism, pyramid */
    {5,
     3,     8,
     12,          {{0, 1},
      {1, 2},
      {2, 3},
      {3, 0},
      {4, 5},
      {5, 6},
      {6, 7},
      {7, 4},
      {0, 4},
      {1, 5},
      {2, 6},
      {3, 7}}                                                                     },
    {6,  3, 6, 9, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}},
    {7,  3, 5, 8, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}}        },
};

struct node {
    int64_t tag;
    double x[3];
    const char *at; /* of the tag in the text */
};

struct reader {
    struct nuce_scanner scanner;
    int version;          /* 2 or 4 */
    const char *count_at; /* where the last count of read_count stands */
    struct node *node;
    int64_t nodes;
    int dimension;               /* highest of the elements so far, -1: none */
    struct nuce_edge_list edges; /* of the elements of that dimension; indices into node */
};

/* A count of things that take at least bytes each in what is left of the text. */
static nuce_status read_count(struct reader *reader, const char *what, int64_t low, int64_t bytes,
                              int64_t *out, struct nuce_error *error)
{
    int64_t most = nuce_scanner_left(&reader->scanner) / bytes;

    (void)nuce_scanner_has_word(&reader->scanner);
    reader->count_at = reader->scanner.at;
    most = most < INT32_MAX ? most : INT32_MAX;
    return nuce_scanner_integer(&reader->scanner, what, low, most > low ? most : low, out, error);
}

static nuce_status read_tag(struct reader *reader, const char *what, int64_t *out,
                            struct nuce_error *error)
{
    return nuce_scanner_integer(&reader->scanner, what, 1, INT64_MAX, out, error);
}

/* Reads over count whole numbers. */
static nuce_status skip_integers(struct reader *reader, const char *what, int64_t count,
                                 struct nuce_error *error)
{
    int64_t value;

    for (int64_t k = 0; k < count; k++) {
        nuce_status status =
            nuce_scanner_integer(&reader->scanner, what, INT64_MIN, INT64_MAX, &value, error);

        if (status != NUCE_OK)
            return status;
    }
    return NUCE_OK;
}

static nuce_status expect_word(struct reader *reader, const char *expected,
                               struct nuce_error *error)
{
    struct nuce_word word;
    nuce_status status = nuce_scanner_word(&reader->scanner, expected, &word, error);

    if (status == NUCE_OK && !nuce_word_is(word, expected))
        status = nuce_scanner_fail(&reader->scanner, word.text, error, "'%.*s'; expected %s",
                                   nuce_word_quoted(word), word.text, expected);
    return status;
}

static nuce_status read_format(struct reader *reader, struct nuce_error *error)
{
    struct nuce_word version, type;
    nuce_status status = expect_word(reader, "$MeshFormat", error);

    if (status == NUCE_OK)
        status = nuce_scanner_word(&reader->scanner, "a version, 2.2 or 4.1", &version, error);
    if (status == NUCE_OK && !nuce_word_is(version, "2.2") && !nuce_word_is(version, "4.1"))
        status = nuce_scanner_fail(&reader->scanner, version.text, error,
                                   "version '%.*s' is not supported; expected 2.2 or 4.1 "
                                   "(gmsh FILE -save -format msh41 -o NEW.msh converts)",
                                   nuce_word_quoted(version), version.text);
    if (status == NUCE_OK)
        status = nuce_scanner_word(&reader->scanner, "the file type, 0 for ASCII", &type, error);
    if (status == NUCE_OK && !nuce_word_is(type, "0"))
        status = nuce_scanner_fail(&reader->scanner, type.text, error,
                                   "file type '%.*s'%s; expected 0, ASCII "
                                   "(gmsh FILE -save -bin 0 -o NEW.msh converts)",
                                   nuce_word_quoted(type), type.text,
                                   nuce_word_is(type, "1") ? " is binary" : "");
    if (status == NUCE_OK)
        status = skip_integers(reader, "the size of a number", 1, error);
    if (status == NUCE_OK)
        status = expect_word(reader, "$EndMeshFormat", error);
    reader->version = status == NUCE_OK && version.text[0] == '2' ? 2 : 4;
    return status;
}

static nuce_status read_coordinates(struct reader *reader, struct node *node,
                                    struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int d = 0; d < 3 && status == NUCE_OK; d++)
        status = nuce_scanner_real(&reader->scanner, "a coordinate", &node->x[d], error);
    return status;
}

static nuce_status read_node_tag(struct reader *reader, struct node *node, struct nuce_error *error)
{
    (void)nuce_scanner_has_word(&reader->scanner);
    node->at = reader->scanner.at;
    return read_tag(reader, "a node's number", &node->tag, error);
}

static nuce_status read_nodes_2(struct reader *reader, int64_t count, struct nuce_error *error)
{
    for (int64_t k = 0; k < count; k++) {
        nuce_status status = read_node_tag(reader, &reader->node[k], error);

        if (status == NUCE_OK)
            status = read_coordinates(reader, &reader->node[k], error);
        if (status != NUCE_OK)
            return status;
    }
    return NUCE_OK;
}

/* A block of version 4: its tags, then its coordinates, with as many parameters as the entity has
 * dimensions if it is parametric. */
static nuce_status read_node_block(struct reader *reader, struct node *node, int64_t room,
                                   int64_t *count, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    int64_t dimension, tag, parametric;
    double parameter;
    nuce_status status =
        nuce_scanner_integer(scanner, "an entity's dimension", 0, 3, &dimension, error);

    if (status == NUCE_OK)
        status =
            nuce_scanner_integer(scanner, "an entity's tag", INT32_MIN, INT32_MAX, &tag, error);
    if (status == NUCE_OK)
        status = nuce_scanner_integer(scanner, "0 or 1 for parametric", 0, 1, &parametric, error);
    if (status == NUCE_OK)
        status = nuce_scanner_integer(scanner, "the number of nodes in the block", 0, room, count,
                                      error);
    for (int64_t k = 0; status == NUCE_OK && k < *count; k++)
        status = read_node_tag(reader, &node[k], error);
    for (int64_t k = 0; status == NUCE_OK && k < *count; k++) {
        status = read_coordinates(reader, &node[k], error);
        for (int64_t d = 0; status == NUCE_OK && parametric && d < dimension; d++)
            status = nuce_scanner_real(scanner, "a parameter", &parameter, error);
    }
    return status;
}

static nuce_status read_nodes_4(struct reader *reader, int64_t blocks, int64_t count,
                                struct nuce_error *error)
{
    int64_t filled = 0;

    for (int64_t block = 0; block < blocks; block++) {
        int64_t added;
        nuce_status status =
            read_node_block(reader, reader->node + filled, count - filled, &added, error);

        if (status != NUCE_OK)
            return status;
        filled += added;
    }
    if (filled != count)
        return nuce_scanner_fail(&reader->scanner, reader->count_at, error,
                                 "the blocks hold %lld nodes; expected %lld as announced",
                                 (long long)filled, (long long)count);
    return NUCE_OK;
}

static int compare_tags(const void *a, const void *b)
{
    const struct node *left = a, *right = b;

    if (left->tag != right->tag)
        return left->tag < right->tag ? -1 : 1;
    return (left->at > right->at) - (left->at < right->at);
}

static nuce_status sort_nodes(struct reader *reader, struct nuce_error *error)
{
    qsort(reader->node, (size_t)reader->nodes, sizeof *reader->node, compare_tags);
    for (int64_t i = 1; i < reader->nodes; i++) {
        if (reader->node[i].tag == reader->node[i - 1].tag)
            return nuce_scanner_fail(&reader->scanner, reader->node[i].at, error,
                                     "node number %lld comes twice; expected once",
                                     (long long)reader->node[i].tag);
    }
    return NUCE_OK;
}

static nuce_status read_nodes(struct reader *reader, const char *at, struct nuce_error *error)
{
    int64_t blocks = 0, count;
    nuce_status status = NUCE_OK;

    if (reader->node != NULL)
        return nuce_scanner_fail(&reader->scanner, at, error, "a second $Nodes; expected one");
    if (reader->version == 4)
        status = read_count(reader, "the number of blocks of nodes", 1, 1, &blocks, error);
    /* A node takes at least a digit and a blank for its number and each coordinate. */
    if (status == NUCE_OK)
        status = read_count(reader, "the number of nodes", 1, 8, &count, error);
    if (status == NUCE_OK && reader->version == 4)
        status = skip_integers(reader, "the least and the greatest node number", 2, error);
    if (status != NUCE_OK)
        return status;
    reader->node = nuce_allocate(count, sizeof *reader->node, error);
    if (reader->node == NULL)
        return NUCE_FAILED;
    reader->nodes = count;
    status = reader->version == 4 ? read_nodes_4(reader, blocks, count, error)
                                  : read_nodes_2(reader, count, error);
    if (status == NUCE_OK)
        status = expect_word(reader, "$EndNodes", error);
    if (status == NUCE_OK)
        status = sort_nodes(reader, error);
    return status;
}

static nuce_status read_type(struct reader *reader, const struct element_type **out,
                             struct nuce_error *error)
{
    const char *at;
    int64_t number;
    nuce_status status;

    (void)nuce_scanner_has_word(&reader->scanner);
    at = reader->scanner.at;
    status =
        nuce_scanner_integer(&reader->scanner, "an element type", 1, INT32_MAX, &number, error);
    if (status != NUCE_OK)
        return status;
    for (size_t k = 0; k < sizeof element_types / sizeof *element_types; k++) {
        if (element_types[k].number == number) {
            *out = &element_types[k];
            return NUCE_OK;
        }
    }
    return nuce_scanner_fail(&reader->scanner, at, error,
                             "element type %lld is not supported; expected a first-order one, "
                             "1 to 7 or 15",
                             (long long)number);
}

/* The index of the node with this tag, or -1. */
static int64_t find_node(const struct reader *reader, int64_t tag)
{
    int64_t low = 0, high = reader->nodes;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (reader->node[middle].tag == tag)
            return middle;
        if (reader->node[middle].tag < tag)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static nuce_status read_corner(struct reader *reader, int32_t *out, struct nuce_error *error)
{
    struct node node;
    int64_t found;
    nuce_status status = read_node_tag(reader, &node, error);

    if (status != NUCE_OK)
        return status;
    found = find_node(reader, node.tag);
    if (found < 0)
        return nuce_scanner_fail(&reader->scanner, node.at, error,
                                 "node %lld is not in $Nodes; expected one of the %lld there",
                                 (long long)node.tag, (long long)reader->nodes);
    *out = (int32_t)found;
    return NUCE_OK;
}

/* The corners of an element of type; those of a lower dimension than others are not kept. */
static nuce_status read_corners(struct reader *reader, const struct element_type *type,
                                struct nuce_error *error)
{
    int32_t corner[MOST_CORNERS];
    nuce_status status = NUCE_OK;

    for (int k = 0; k < type->corners && status == NUCE_OK; k++)
        status = read_corner(reader, &corner[k], error);
    if (status != NUCE_OK || type->dimension < reader->dimension)
        return status;
    if (type->dimension > reader->dimension) {
        reader->dimension = type->dimension;
        reader->edges.count = 0;
    }
    for (int k = 0; k < type->edges && status == NUCE_OK; k++)
        status = nuce_edge_list_add(&reader->edges, corner[type->edge[k][0]],
                                    corner[type->edge[k][1]], error);
    return status;
}

static nuce_status read_elements_2(struct reader *reader, struct nuce_error *error)
{
    const struct element_type *type = NULL;
    int64_t count, tag, labels;
    nuce_status status = read_count(reader, "the number of elements", 1, 1, &count, error);

    for (int64_t k = 0; status == NUCE_OK && k < count; k++) {
        status = read_tag(reader, "an element's number", &tag, error);
        if (status == NUCE_OK)
            status = read_type(reader, &type, error);
        if (status == NUCE_OK)
            status = read_count(reader, "the number of tags", 0, 1, &labels, error);
        if (status == NUCE_OK)
            status = skip_integers(reader, "a tag", labels, error);
        if (status == NUCE_OK)
            status = read_corners(reader, type, error);
    }
    return status;
}

static nuce_status read_element_block(struct reader *reader, int64_t room, int64_t *count,
                                      struct nuce_error *error)
{
    const struct element_type *type = NULL;
    int64_t tag;
    nuce_status status = skip_integers(reader, "an entity's dimension and tag", 2, error);

    if (status == NUCE_OK)
        status = read_type(reader, &type, error);
    if (status == NUCE_OK)
        status = nuce_scanner_integer(&reader->scanner, "the number of elements in the block", 0,
                                      room, count, error);
    for (int64_t k = 0; status == NUCE_OK && k < *count; k++) {
        status = read_tag(reader, "an element's number", &tag, error);
        if (status == NUCE_OK)
            status = read_corners(reader, type, error);
    }
    return status;
}

static nuce_status read_elements_4(struct reader *reader, struct nuce_error *error)
{
    int64_t blocks, count, read = 0;
    nuce_status status =
        read_count(reader, "the number of blocks of elements", 1, 1, &blocks, error);

    if (status == NUCE_OK)
        status = read_count(reader, "the number of elements", 1, 1, &count, error);
    if (status == NUCE_OK)
        status = skip_integers(reader, "the least and the greatest element number", 2, error);
    for (int64_t block = 0; status == NUCE_OK && block < blocks; block++) {
        int64_t added = 0;

        status = read_element_block(reader, count - read, &added, error);
        read += added;
    }
    if (status == NUCE_OK && read != count)
        status = nuce_scanner_fail(&reader->scanner, reader->count_at, error,
                                   "the blocks hold %lld elements; expected %lld as announced",
                                   (long long)read, (long long)count);
    return status;
}

static nuce_status read_elements(struct reader *reader, const char *at, struct nuce_error *error)
{
    nuce_status status;

    if (reader->node == NULL)
        return nuce_scanner_fail(&reader->scanner, at, error,
                                 "$Elements before $Nodes; expected the nodes first");
    status = reader->version == 4 ? read_elements_4(reader, error) : read_elements_2(reader, error);
    if (status == NUCE_OK)
        status = expect_word(reader, "$EndElements", error);
    return status;
}

/* Skips to the end of a section that says nothing about the graph, such as $PhysicalNames. */
static nuce_status skip_section(struct reader *reader, struct nuce_word name,
                                struct nuce_error *error)
{
    struct nuce_word word;

    while (nuce_scanner_has_word(&reader->scanner)) {
        (void)nuce_scanner_word(&reader->scanner, "a word", &word, error);
        if (word.length == name.length + 3 && memcmp(word.text, "$End", 4) == 0 &&
            memcmp(word.text + 4, name.text + 1, (size_t)name.length - 1) == 0)
            return NUCE_OK;
    }
    return nuce_scanner_fail(&reader->scanner, reader->scanner.at, error,
                             "the file ends; expected $End%.*s", nuce_word_quoted(name) - 1,
                             name.text + 1);
}

static nuce_status read_sections(struct reader *reader, struct nuce_error *error)
{
    struct nuce_word name;
    nuce_status status = read_format(reader, error);

    while (status == NUCE_OK && nuce_scanner_has_word(&reader->scanner)) {
        (void)nuce_scanner_word(&reader->scanner, "a section", &name, error);
        if (nuce_word_is(name, "$Nodes"))
            status = read_nodes(reader, name.text, error);
        else if (nuce_word_is(name, "$Elements"))
            status = read_elements(reader, name.text, error);
        else if (nuce_word_is(name, "$ParametricNodes"))
            status = nuce_scanner_fail(&reader->scanner, name.text, error,
                                       "$ParametricNodes are not supported; expected $Nodes "
                                       "(gmsh without -save_parametric)");
        else if (name.text[0] == '$' && name.length > 1)
            status = skip_section(reader, name, error);
        else
            status = nuce_scanner_fail(&reader->scanner, name.text, error,
                                       "'%.*s'; expected a section such as $Nodes",
                                       nuce_word_quoted(name), name.text);
    }
    if (status == NUCE_OK && reader->dimension < 1)
        status = nuce_scanner_fail(&reader->scanner, reader->scanner.at, error,
                                   "the file ends without elements that have edges; expected "
                                   "$Nodes and $Elements with at least one");
    return status;
}

/* Numbers the nodes that edges use 0, 1, ... in the order of their tags, moves them to the front
 * and renumbers the edges. */
static nuce_status drop_unused(struct reader *reader, struct nuce_error *error)
{
    int32_t *number = nuce_allocate(reader->nodes, sizeof *number, error);
    int32_t used = 0;

    if (number == NULL)
        return NUCE_FAILED;
    for (int64_t k = 0; k < reader->edges.count; k++) {
        number[reader->edges.edge[k][0]] = 1;
        number[reader->edges.edge[k][1]] = 1;
    }
    for (int64_t i = 0; i < reader->nodes; i++) {
        if (number[i] == 0)
            continue;
        reader->node[used] = reader->node[i];
        number[i] = used++;
    }
    for (int64_t k = 0; k < reader->edges.count; k++) {
        reader->edges.edge[k][0] = number[reader->edges.edge[k][0]];
        reader->edges.edge[k][1] = number[reader->edges.edge[k][1]];
    }
    reader->nodes = used;
    free(number);
    return NUCE_OK;
}

/* Two dimensions if all nodes have the same z, else three. */
static nuce_status set_coordinates(const struct reader *reader, struct nuce_mesh *mesh,
                                   struct nuce_error *error)
{
    int dimensions = 2;
    double *coordinates;

    for (int64_t i = 1; i < reader->nodes; i++) {
        if (reader->node[i].x[2] != reader->node[0].x[2])
            dimensions = 3;
    }
    coordinates = nuce_allocate(reader->nodes * dimensions, sizeof *coordinates, error);
    if (coordinates == NULL)
        return NUCE_FAILED;
    for (int64_t i = 0; i < reader->nodes; i++)
        memcpy(coordinates + i * dimensions, reader->node[i].x,
               (size_t)dimensions * sizeof *coordinates);
    mesh->dimensions = dimensions;
    mesh->coordinates = coordinates;
    return NUCE_OK;
}

static nuce_status parse(const char *path, const char *text, size_t length, struct nuce_mesh *out,
                         struct nuce_error *error)
{
    struct reader reader = {.dimension = -1};
    struct nuce_mesh mesh = {0};
    nuce_status status;

    nuce_scanner_init(&reader.scanner, path, text, length);
    reader.scanner.across_lines = true;
    status = read_sections(&reader, error);
    if (status == NUCE_OK)
        status = drop_unused(&reader, error);
    if (status == NUCE_OK)
        status = nuce_mesh_from_edges(reader.nodes, &reader.edges, &mesh, error);
    if (status == NUCE_OK)
        status = set_coordinates(&reader, &mesh, error);
    if (status == NUCE_OK)
        *out = mesh;
    else
        nuce_mesh_fini(&mesh);
    nuce_edge_list_fini(&reader.edges);
    free(reader.node);
    return status;
}

static const char *const endings[] = {".msh", NULL};

const struct nuce_mesh_format nuce_mesh_gmsh = {
    .name = "gmsh",
    .summary = "Gmsh mesh, ASCII 2.2 or 4.1: the edges of its elements",
    .endings = endings,
    .parse = parse,
};
