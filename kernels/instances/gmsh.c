/* Gmsh's .msh files, ASCII, versions 2 to 2.2, 4 and 4.1. Only elements of the highest dimension in
 * the file count. The nodal graph is their edges. Nodes without such an element (construction
 * points) are dropped, the others numbered in the order of their tags. The dual graph joins
 * elements that share a face, as m2gmetis -gtype=dual does; they are numbered in the order of the
 * file. Elements of higher order are read by their corners, which come first in Gmsh's order of
 * nodes; the mesh's note says so.
 *
 * The versions differ in their order: 4 puts nodes and elements in blocks, whose heads have the
 * values that 2 repeats in each line. So each is read as blocks; 2 has one block of nodes, and a
 * block for each element. 4 differs from 4.1 in the order of a head, and has each node in a line as
 * 2 has. The reader keeps the first failure and returns zeros from then on, so only loops need to
 * check it.
 *
 * Source: Geuzaine, Remacle: "Gmsh reference manual", 4.8, chapter 9; further numbers of types:
 * Gmsh's GmshDefines.h. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/scanner.h"
#include "instances/mesh.h"

/* A hexahedron has most, and its faces. */
#define MOST_CORNERS 8
#define MOST_FACE_CORNERS 4

/* Cells at one face: 2 in a volume, a few where surfaces meet. The limit keeps the number of pairs
 * in proportion to the file. */
#define MOST_FACE_CELLS 64

/* A type of elements: its number of corners, in Gmsh's order; the pairs of corners that its edges
 * join; and its faces, a word of corners each. */
struct element_type {
    int number; /* Gmsh's number of the type */
    int dimension, corners;
    const char *edges, *faces;
};

/* Corners and edges as in the manual's 9.2, "Node ordering". */
static const struct element_type element_types[] = {
    {15, 0, 1, "", ""}, /* point */
    {1, 1, 2, "01", "0 1"},
    {2, 2, 3, "01 12 20", "01 12 20"},
    {3, 2, 4, "01 12 23 30", "01 12 23 30"},
    {4, 3, 4, "01 02 03 12 13 23", "012 013 023 123"},
    {5, 3, 8, "01 12 23 30 45 56 67 74 04 15 26 37",
     "0123 4567 0154 1265 2376 3047"},                                 /* hexahedron */
    {6, 3, 6, "01 12 20 34 45 53 03 14 25", "012 345 0143 1254 2035"}, /* prism */
    {7, 3, 5, "01 12 23 30 04 14 24 34", "0123 014 124 234 304"},      /* pyramid */
};

/* The types of a higher order: the type of their corners, and their numbers of nodes for type
 * numbers from `first` on. */
static const struct higher_order {
    int first, corners_type;
    short nodes[9]; /* ends with a 0 */
} higher_orders[] = {
    {8, 1, {3}},
    {9, 2, {6}},
    {10, 3, {9}},
    {11, 4, {10}},
    {12, 5, {27}},
    {13, 6, {18}},
    {14, 7, {14}},
    {16, 3, {8}},
    {17, 5, {20}},
    {18, 6, {15}},
    {19, 7, {13}},
    {20, 2, {9, 10, 12, 15, 15, 21}},
    {26, 1, {4, 5, 6}},
    {29, 4, {20, 35, 56, 22, 28}},
    {36, 3, {16, 25, 36, 12, 16, 20}},
    {42, 2, {28, 36, 45, 55, 66}},
    {47, 3, {49, 64, 81, 100, 121}},
    {52, 2, {18, 21, 24, 27, 30}},
    {57, 3, {24, 28, 32, 36, 40}},
    {62, 1, {7, 8, 9, 10, 11}},
    {71, 4, {84, 120, 165, 220, 286}},
    {79, 4, {34, 40, 46, 52, 58}},
    {90, 6, {40, 75}},
    {92, 5, {64, 125, 216, 343, 512, 729, 1000}},
    {99, 5, {32, 44, 56, 68, 80, 92, 104}},
    {106, 6, {126, 196, 288, 405, 550}},
    {111, 6, {24, 33, 42, 51, 60, 69, 78}},
    {118, 7, {30, 55, 91, 140, 204, 285, 385}},
    {125, 7, {21, 29, 37, 45, 53, 61, 69}},
    {137, 4, {16}},
};

/* A node of the file, used by an element or not. */
struct gmsh_node {
    int64_t tag;
    double x[3];
    const char *at; /* the tag's place in the text */
};

/* A face of a cell: the indices of its nodes in descending order, then -1. */
struct gmsh_face {
    int32_t node[MOST_FACE_CORNERS];
    int32_t cell;
};

/* A cell by its corners: the indices of their nodes in descending order, then -1. */
struct gmsh_corners {
    int32_t node[MOST_CORNERS];
    int32_t cell;
};

/* The state of the reader. */
struct gmsh_reader {
    struct nuce_scanner scanner;
    nuce_status status;       /* other than NUCE_OK: nothing more is read */
    struct nuce_error *error; /* the first error */
    int version;              /* 2 or 4 */
    bool has_blocks_of_4_0;   /* those of 4; 4.1 has another order */
    bool is_higher_order;     /* an element was read by its corners */
    bool is_partitioned;      /* it says which part elements are in */
    bool is_dual;             /* cells and faces are read, else edges */
    const char *count_at;     /* where the last count of read_count stands */
    struct gmsh_node *node;
    int64_t nodes;
    int dimension;               /* highest of the elements so far, -1: none */
    struct nuce_edge_list edges; /* of the elements of that dimension; indices into node */
    struct gmsh_node *cell;      /* these elements: the means of their corners */
    int64_t cells, cells_capacity;
    struct gmsh_corners *corners; /* of cells */
    int64_t corners_capacity;
    struct gmsh_face *face; /* of cells */
    int64_t faces, faces_capacity;
};

static int is_good(const struct gmsh_reader *reader)
{
    return reader->status == NUCE_OK;
}

/* The place of the next word, for messages; blanks are skipped. */
static const char *next_place(struct gmsh_reader *reader)
{
    nuce_scanner_has_word(&reader->scanner);
    return reader->scanner.at;
}

/* The next word as a number of low .. high; 0 if the reader has failed. */
static int64_t read_integer(struct gmsh_reader *reader, const char *what, int64_t low, int64_t high)
{
    int64_t value = 0;

    if (is_good(reader))
        reader->status =
            nuce_scanner_integer(&reader->scanner, what, low, high, &value, reader->error);
    return is_good(reader) ? value : 0;
}

static double read_real(struct gmsh_reader *reader, const char *what)
{
    double value = 0;

    if (is_good(reader))
        reader->status = nuce_scanner_real(&reader->scanner, what, &value, reader->error);
    return value;
}

/* The next word; empty if the reader has failed. */
static struct nuce_word read_word(struct gmsh_reader *reader, const char *what)
{
    struct nuce_word word = {"", 0};

    if (is_good(reader))
        reader->status = nuce_scanner_word(&reader->scanner, what, &word, reader->error);
    return word;
}

/* A count of things that take at least `bytes` each in the rest of the text. So the file bounds the
 * allocated memory, even with a damaged count. 0 if the reader has failed. */
static int64_t read_count(struct gmsh_reader *reader, const char *things, int64_t low,
                          int64_t bytes)
{
    int64_t room = nuce_scanner_left(&reader->scanner) / bytes, value = 0;

    reader->count_at = next_place(reader);
    if (is_good(reader))
        reader->status = nuce_scanner_count(&reader->scanner, things, low, INT32_MAX, room, &value,
                                            reader->error);
    return is_good(reader) ? value : 0;
}

/* Skips count whole numbers. */
static void skip_integers(struct gmsh_reader *reader, const char *what, int64_t count)
{
    for (int64_t k = 0; k < count && is_good(reader); k++)
        read_integer(reader, what, INT64_MIN, INT64_MAX);
}

static void expect_word(struct gmsh_reader *reader, const char *expected)
{
    struct nuce_word word = read_word(reader, expected);

    if (is_good(reader) && !nuce_word_is(word, expected))
        reader->status =
            nuce_scanner_fail(&reader->scanner, word.text, reader->error, "'%.*s'; expected %s",
                              nuce_word_quoted(word), word.text, expected);
}

/* Reads x, y, z, and skips the parameters of a parametric node. */
static void read_coordinates(struct gmsh_reader *reader, struct gmsh_node *node, int64_t parameters)
{
    for (int d = 0; d < 3; d++)
        node->x[d] = read_real(reader, "a coordinate");
    for (int64_t d = 0; d < parameters; d++)
        read_real(reader, "a parameter");
}

/* Stores the place in the text, because a duplicate is found only after sorting. */
static void read_node_tag(struct gmsh_reader *reader, struct gmsh_node *node)
{
    node->at = next_place(reader);
    node->tag = 0;
    if (is_good(reader))
        reader->status = nuce_scanner_index(&reader->scanner, "a node's number", 1, INT64_MAX,
                                            &node->tag, reader->error);
}

/* Reads the first two numbers of a block's head: 4.1 has the entity's dimension before its tag, 4
 * after it. Returns the dimension. */
static int64_t read_entity(struct gmsh_reader *reader)
{
    int64_t dimension;

    if (reader->has_blocks_of_4_0)
        read_integer(reader, "an entity's tag", INT32_MIN, INT32_MAX);
    dimension = read_integer(reader, "an entity's dimension", 0, 3);
    if (!reader->has_blocks_of_4_0)
        read_integer(reader, "an entity's tag", INT32_MIN, INT32_MAX);
    return dimension;
}

/* Reads a block of version 4: its tags, then its coordinates (4: each tag with its coordinates),
 * with as many parameters as the entity has dimensions if it is parametric. In version 2, a block
 * is all nodes, each a line with tag and coordinates. Returns the number of its nodes, at most
 * room. */
static int64_t read_node_block(struct gmsh_reader *reader, struct gmsh_node *node, int64_t room)
{
    bool has_head = reader->version == 4, is_mixed = !has_head || reader->has_blocks_of_4_0;
    int64_t dimension = has_head ? read_entity(reader) : 0;
    int64_t parametric = has_head ? read_integer(reader, "0 or 1 for parametric", 0, 1) : 0;
    int64_t count =
        has_head ? read_integer(reader, "the number of nodes in the block", 0, room) : room;

    for (int64_t k = 0; k < count && is_good(reader); k++) {
        read_node_tag(reader, &node[k]);
        if (is_mixed)
            read_coordinates(reader, &node[k], parametric ? dimension : 0);
    }
    for (int64_t k = 0; k < count && is_good(reader) && !is_mixed; k++)
        read_coordinates(reader, &node[k], parametric ? dimension : 0);
    return count;
}

/* NUCE_BAD_INPUT if the blocks do not hold the number announced before them. */
static void check_total(struct gmsh_reader *reader, int64_t held, int64_t said, const char *what)
{
    if (is_good(reader) && held != said)
        reader->status = nuce_scanner_fail(&reader->scanner, reader->count_at, reader->error,
                                           "the blocks hold %lld %s; expected %lld as announced",
                                           (long long)held, what, (long long)said);
}

/* By tag, then by place in the text, so that the error is about the second of two. */
static int compare_tags(const void *a, const void *b)
{
    const struct gmsh_node *left = a, *right = b;

    if (left->tag != right->tag)
        return left->tag < right->tag ? -1 : 1;
    return (left->at > right->at) - (left->at < right->at);
}

/* Reads $Nodes of either version; `at` is the place of the section's name. */
static void read_nodes(struct gmsh_reader *reader, const char *at)
{
    int64_t blocks = 1, filled = 0;

    if (reader->node != NULL) {
        reader->status =
            nuce_scanner_fail(&reader->scanner, at, reader->error, "a second $Nodes; expected one");
        return;
    }
    if (reader->version == 4)
        blocks = read_count(reader, "blocks of nodes", 1, 1);
    /* A node takes at least a digit and a blank for its number and each coordinate. */
    reader->nodes = read_count(reader, "nodes", 1, 8);
    if (reader->version == 4 && !reader->has_blocks_of_4_0)
        skip_integers(reader, "the least and the greatest node number", 2);
    if (!is_good(reader))
        return;
    reader->node = nuce_allocate(reader->nodes, sizeof *reader->node);
    for (int64_t block = 0; block < blocks && is_good(reader); block++)
        filled += read_node_block(reader, reader->node + filled, reader->nodes - filled);
    check_total(reader, filled, reader->nodes, "nodes");
    expect_word(reader, "$EndNodes");
    if (!is_good(reader))
        return;
    /* By tag, for binary searches of the elements' corners: tags need not be consecutive. */
    qsort(reader->node, (size_t)reader->nodes, sizeof *reader->node, compare_tags);
    for (int64_t i = 1; i < reader->nodes && is_good(reader); i++) {
        if (reader->node[i].tag == reader->node[i - 1].tag)
            reader->status = nuce_scanner_fail(&reader->scanner, reader->node[i].at, reader->error,
                                               "node number %lld comes twice; expected once",
                                               (long long)reader->node[i].tag);
    }
}

/* The type of first order with this number, or NULL. */
static const struct element_type *find_type(int64_t number)
{
    for (size_t k = 0; k < sizeof element_types / sizeof *element_types; k++) {
        if (element_types[k].number == number)
            return &element_types[k];
    }
    return NULL;
}

/* The type of the next number; *further: nodes of an element after its corners. NULL if the reader
 * has failed. */
static const struct element_type *read_type(struct gmsh_reader *reader, int *further)
{
    const char *at = next_place(reader);
    int64_t number = read_integer(reader, "an element type", 1, INT32_MAX);
    const struct element_type *type = find_type(number);

    *further = 0;
    for (size_t k = 0; type == NULL && k < sizeof higher_orders / sizeof *higher_orders; k++) {
        const struct higher_order *row = &higher_orders[k];

        for (int i = 0; i < 9 && row->nodes[i] != 0; i++) {
            if (row->first + i != number)
                continue;
            type = find_type(row->corners_type);
            *further = row->nodes[i] - type->corners;
        }
    }
    reader->is_higher_order |= *further > 0;
    if (is_good(reader) && type == NULL)
        reader->status = nuce_scanner_fail(&reader->scanner, at, reader->error,
                                           "element type %lld is not supported; expected points, "
                                           "lines, triangles, quadrangles, tetrahedra, hexahedra, "
                                           "prisms or pyramids",
                                           (long long)number);
    return is_good(reader) ? type : NULL;
}

/* The index of the corner's node; 0 if the reader has failed. */
static int32_t read_corner(struct gmsh_reader *reader)
{
    struct gmsh_node node;
    int64_t low = 0, high = reader->nodes;

    read_node_tag(reader, &node);
    if (!is_good(reader))
        return 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (reader->node[middle].tag < node.tag)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == reader->nodes || reader->node[low].tag != node.tag)
        reader->status = nuce_scanner_fail(&reader->scanner, node.at, reader->error,
                                           "node %lld is not in $Nodes; expected one of the %lld "
                                           "there",
                                           (long long)node.tag, (long long)reader->nodes);
    return (int32_t)low;
}

/* Puts a node in its place in the list, which has `count` of them in descending order. */
static void insert_node(int32_t *list, int count, int32_t node)
{
    for (; count > 0 && list[count - 1] < node; count--)
        list[count] = list[count - 1];
    list[count] = node;
}

/* Adds an element with its faces; `at` is its place in the text. */
static void add_cell(struct gmsh_reader *reader, const struct element_type *type,
                     const int32_t *corner, const char *at)
{
    struct gmsh_corners corners = {{-1, -1, -1, -1, -1, -1, -1, -1}, (int32_t)reader->cells};
    struct gmsh_node *cell;
    const char *digit = type->faces;

    for (int k = 0; k < type->corners; k++)
        insert_node(corners.node, k, corner[k]);
    nuce_allocate_more((void **)&reader->corners, &reader->corners_capacity, reader->cells + 1,
                       sizeof *reader->corners);
    reader->corners[reader->cells] = corners;
    nuce_allocate_more((void **)&reader->cell, &reader->cells_capacity, reader->cells + 1,
                       sizeof *reader->cell);
    cell = &reader->cell[reader->cells];
    *cell = reader->node[corner[0]];
    cell->at = at;
    /* Differences to a corner leave a common z exactly as it is. */
    for (int d = 0; d < 3; d++) {
        double base = cell->x[d];

        for (int k = 1; k < type->corners; k++)
            cell->x[d] += (reader->node[corner[k]].x[d] - base) / type->corners;
    }
    while (*digit != '\0') {
        struct gmsh_face face = {{-1, -1, -1, -1}, (int32_t)reader->cells};

        for (int count = 0; *digit > ' '; count++, digit++)
            insert_node(face.node, count, corner[*digit - '0']);
        nuce_allocate_more((void **)&reader->face, &reader->faces_capacity, reader->faces + 1,
                           sizeof *reader->face);
        reader->face[reader->faces++] = face;
        digit += *digit == ' ';
    }
    reader->cells++;
}

/* Reads the corners of an element of type, whose edges or faces are kept, and skips `further`
 * nodes. Those of a dimension lower than the highest so far are not kept, and are dropped when a
 * higher dimension comes. */
static void read_corners(struct gmsh_reader *reader, const struct element_type *type, int further)
{
    const char *at = next_place(reader);
    int32_t corner[MOST_CORNERS] = {0};

    for (int k = 0; k < type->corners; k++)
        corner[k] = read_corner(reader);
    for (int k = 0; k < further && is_good(reader); k++)
        read_corner(reader);
    if (type->dimension < reader->dimension || !is_good(reader))
        return;
    if (type->dimension > reader->dimension) {
        reader->dimension = type->dimension;
        reader->edges.count = reader->cells = reader->faces = 0;
    }
    if (reader->is_dual) {
        add_cell(reader, type, corner, at);
        return;
    }
    for (const char *edge = type->edges; *edge != '\0'; edge += edge[2] == ' ' ? 3 : 2)
        nuce_edge_list_add(&reader->edges, corner[edge[0] - '0'], corner[edge[1] - '0']);
}

/* Skips an element's tags of version 2. The third is its number of partitions, before 2.2 its
 * partition; 0: none. */
static void skip_tags(struct gmsh_reader *reader)
{
    int64_t tags = read_count(reader, "tags", 0, 1);

    for (int64_t k = 0; k < tags && is_good(reader); k++) {
        int64_t tag = read_integer(reader, "a tag", INT64_MIN, INT64_MAX);

        reader->is_partitioned |= k == 2 && tag > 0;
    }
}

/* Reads a block of version 4: elements of one type; of version 2 a line, an element with its type
 * and labels. Returns their number, at most room. */
static int64_t read_element_block(struct gmsh_reader *reader, int64_t room)
{
    const struct element_type *type;
    bool has_head = reader->version == 4;
    int64_t count = 1;
    int further;

    if (has_head)
        read_entity(reader);
    else
        read_integer(reader, "an element's number", 1, INT64_MAX);
    type = read_type(reader, &further);
    if (has_head)
        count = read_integer(reader, "the number of elements in the block", 0, room);
    else
        skip_tags(reader);
    for (int64_t k = 0; k < count && is_good(reader); k++) {
        if (has_head)
            read_integer(reader, "an element's number", 1, INT64_MAX);
        if (is_good(reader))
            read_corners(reader, type, further);
    }
    return count;
}

/* Reads $Elements of either version; nodes have come before. */
static void read_elements(struct gmsh_reader *reader)
{
    int64_t blocks = 0, count, read = 0;

    if (reader->version == 4)
        blocks = read_count(reader, "blocks of elements", 1, 1);
    count = read_count(reader, "elements", 1, 1);
    if (reader->version == 4 && !reader->has_blocks_of_4_0)
        skip_integers(reader, "the least and the greatest element number", 2);
    if (reader->version == 2)
        blocks = count;
    for (int64_t block = 0; block < blocks && is_good(reader); block++)
        read += read_element_block(reader, count - read);
    check_total(reader, read, count, "elements");
    expect_word(reader, "$EndElements");
}

/* Skips to the end of a section that is not about the graph, such as $PhysicalNames. */
static void skip_section(struct gmsh_reader *reader, struct nuce_word name)
{
    while (is_good(reader) && nuce_scanner_has_word(&reader->scanner)) {
        struct nuce_word word = read_word(reader, "a word");

        if (word.length == name.length + 3 && memcmp(word.text, "$End", 4) == 0 &&
            memcmp(word.text + 4, name.text + 1, (size_t)name.length - 1) == 0)
            return;
    }
    if (is_good(reader))
        reader->status = nuce_scanner_fail(&reader->scanner, reader->scanner.at, reader->error,
                                           "the file ends; expected $End%.*s",
                                           nuce_word_quoted(name) - 1, name.text + 1);
}

/* The name of a section, "$" and at least a letter. */
static struct nuce_word read_name(struct gmsh_reader *reader, const char *expected)
{
    struct nuce_word name = read_word(reader, expected);

    if (is_good(reader) && (name.text[0] != '$' || name.length < 2))
        reader->status =
            nuce_scanner_fail(&reader->scanner, name.text, reader->error, "'%.*s'; expected %s",
                              nuce_word_quoted(name), name.text, expected);
    return name;
}

/* Reads all sections, in any order. NUCE_BAD_INPUT if no element with edges is among them. Binary
 * files and other versions, with or without digits after the dot, are refused with the command that
 * converts them. */
static nuce_status read_sections(struct gmsh_reader *reader)
{
    static const char *const versions[] = {"2", "2.0", "2.1", "2.2", "4", "4.0", "4.1", NULL};
    struct nuce_word earlier = {NULL, 0}; /* an $Elements that was skipped before $Nodes */
    const char *start = reader->scanner.at;
    struct nuce_word name, version, type;
    int known = 0;

    /* Finds $MeshFormat, on which the reading of all other sections depends, anywhere in the file.
     * Then all sections are read from the file's beginning. */
    while (name = read_name(reader, "$MeshFormat"), is_good(reader)) {
        if (nuce_word_is(name, "$MeshFormat"))
            break;
        if (nuce_word_is(name, "$NOD"))
            reader->status = nuce_scanner_fail(
                &reader->scanner, name.text, reader->error,
                "$NOD of version 1 is not supported; expected $MeshFormat of a version 2 to 2.2, 4 "
                "or 4.1 (gmsh FILE -save -format msh41 -o NEW.msh converts)");
        else
            skip_section(reader, name);
    }
    version = read_word(reader, "a version, 2 to 2.2, 4 or 4.1");
    while (versions[known] != NULL && !nuce_word_is(version, versions[known]))
        known++;
    if (is_good(reader) && versions[known] == NULL)
        reader->status = nuce_scanner_fail(&reader->scanner, version.text, reader->error,
                                           "version '%.*s' is not supported; expected 2 to 2.2, 4 "
                                           "or 4.1 "
                                           "(gmsh FILE -save -format msh41 -o NEW.msh converts)",
                                           nuce_word_quoted(version), version.text);
    type = read_word(reader, "the file type, 0 for ASCII");
    if (is_good(reader) && !nuce_word_is(type, "0"))
        reader->status = nuce_scanner_fail(&reader->scanner, type.text, reader->error,
                                           "file type '%.*s'%s; expected 0, ASCII "
                                           "(gmsh FILE -save -bin 0 -o NEW.msh converts)",
                                           nuce_word_quoted(type), type.text,
                                           nuce_word_is(type, "1") ? " is binary" : "");
    skip_integers(reader, "the size of a number", 1);
    expect_word(reader, "$EndMeshFormat");
    reader->version = known < 4 ? 2 : 4;
    reader->has_blocks_of_4_0 = known == 4 || known == 5;
    reader->scanner.at = start;
    while (is_good(reader) && nuce_scanner_has_word(&reader->scanner)) {
        name = read_name(reader, "a section such as $Nodes");
        if (!is_good(reader))
            break;
        reader->is_partitioned |= nuce_word_is(name, "$PartitionedEntities");
        if (nuce_word_is(name, "$Nodes")) {
            read_nodes(reader, name.text);
        } else if (nuce_word_is(name, "$Elements") && reader->node != NULL) {
            read_elements(reader);
        } else if (nuce_word_is(name, "$Elements") && earlier.text == NULL) {
            earlier = name;
            skip_section(reader, name);
        } else if (nuce_word_is(name, "$Elements")) {
            reader->status = nuce_scanner_fail(&reader->scanner, name.text, reader->error,
                                               "a second $Elements before $Nodes; expected one");
        } else if (nuce_word_is(name, "$ParametricNodes")) {
            reader->status = nuce_scanner_fail(&reader->scanner, name.text, reader->error,
                                               "$ParametricNodes are not supported; expected "
                                               "$Nodes (gmsh without -save_parametric)");
        } else {
            skip_section(reader, name);
        }
    }
    if (is_good(reader) && earlier.text != NULL && reader->node != NULL) {
        reader->scanner.at = earlier.text + earlier.length;
        read_elements(reader);
    }
    if (is_good(reader) && reader->dimension < 1)
        reader->status = nuce_scanner_fail(&reader->scanner, reader->scanner.at, reader->error,
                                           "the file ends without elements that have edges; "
                                           "expected $Nodes and $Elements with at least one");
    return reader->status;
}

/* Numbers the nodes that edges use 0, 1, ... in the order of their tags, moves them to the front
 * and renumbers the edges. */
static void number_nodes(struct gmsh_reader *reader)
{
    int32_t *number = nuce_allocate(reader->nodes, sizeof *number), used = 0;
    int32_t(*edge)[2] = reader->edges.edge;

    for (int64_t k = 0; k < reader->edges.count; k++)
        number[edge[k][0]] = number[edge[k][1]] = 1;
    for (int64_t i = 0; i < reader->nodes; i++) {
        if (number[i] == 0)
            continue;
        reader->node[used] = reader->node[i];
        number[i] = used++;
    }
    for (int64_t k = 0; k < reader->edges.count; k++) {
        edge[k][0] = number[edge[k][0]];
        edge[k][1] = number[edge[k][1]];
    }
    reader->nodes = used;
    free(number);
}

/* Any order that puts cells of the same corners together, in the order of the file. */
static int compare_corners(const void *a, const void *b)
{
    const struct gmsh_corners *left = a, *right = b;
    int order = memcmp(left->node, right->node, sizeof left->node);

    return order != 0 ? order : (left->cell > right->cell) - (left->cell < right->cell);
}

/* Drops the copies of cells: version 2 has an element once for each physical group that it is in.
 */
static void drop_copies(struct gmsh_reader *reader)
{
    struct gmsh_corners *corners = reader->corners;
    int32_t *number = nuce_allocate(reader->cells, sizeof *number), kept = 0;
    int64_t faces = 0;

    qsort(corners, (size_t)reader->cells, sizeof *corners, compare_corners);
    for (int64_t i = 1; i < reader->cells; i++) {
        if (memcmp(corners[i].node, corners[i - 1].node, sizeof corners[i].node) == 0)
            number[corners[i].cell] = -1;
    }
    for (int64_t i = 0; i < reader->cells; i++) {
        if (number[i] < 0)
            continue;
        reader->cell[kept] = reader->cell[i];
        number[i] = kept++;
    }
    for (int64_t i = 0; i < reader->faces; i++) {
        struct gmsh_face face = reader->face[i];

        face.cell = number[face.cell];
        if (face.cell >= 0)
            reader->face[faces++] = face;
    }
    reader->cells = kept;
    reader->faces = faces;
    free(number);
}

/* Any order that puts equal faces together. */
static int compare_faces(const void *a, const void *b)
{
    const struct gmsh_face *left = a, *right = b;

    return memcmp(left->node, right->node, sizeof left->node);
}

/* Joins the cells that have a face in common. Cells take the place of the nodes. */
static void join_cells(struct gmsh_reader *reader)
{
    const struct gmsh_face *face = reader->face;
    int64_t last;

    drop_copies(reader);
    qsort(reader->face, (size_t)reader->faces, sizeof *reader->face, compare_faces);
    for (int64_t first = 0; first < reader->faces && is_good(reader); first = last) {
        for (last = first + 1; last < reader->faces; last++) {
            if (compare_faces(&face[first], &face[last]) != 0)
                break;
        }
        if (last - first > MOST_FACE_CELLS)
            reader->status = nuce_scanner_fail(
                &reader->scanner, reader->cell[face[first].cell].at, reader->error,
                "%lld cells share a face of this one; expected at most %d",
                (long long)(last - first), MOST_FACE_CELLS);
        for (int64_t a = first; a < last && is_good(reader); a++) {
            for (int64_t b = a + 1; b < last; b++)
                nuce_edge_list_add(&reader->edges, face[a].cell, face[b].cell);
        }
    }
    free(reader->node);
    reader->node = reader->cell;
    reader->nodes = reader->cells;
    reader->cell = NULL;
}

/* Notes for users of cells and of partitions. */
#define NODAL "its nodes exchange, along the edges of elements; for ghost cells give graph: dual"
#define HIGHER "elements of a higher order are read by their corners alone"
#define PARTITIONED "its own partition is not used: give it by partition-file"
static const char *const notes[2][2][2] = {
    {{NODAL, NODAL "; " PARTITIONED}, {NODAL "; " HIGHER, NODAL "; " HIGHER "; " PARTITIONED}},
    {{NULL, PARTITIONED}, {HIGHER, HIGHER "; " PARTITIONED}}};

static nuce_status read_graph(const char *path, const char *text, size_t length, bool is_dual,
                              struct nuce_mesh *out, struct nuce_error *error)
{
    struct gmsh_reader reader = {.dimension = -1, .is_dual = is_dual, .error = error};

    nuce_scanner_init(&reader.scanner, path, text, length);
    reader.scanner.across_lines = true;
    if (read_sections(&reader) == NUCE_OK) {
        if (is_dual)
            join_cells(&reader);
        else
            number_nodes(&reader);
    }
    if (reader.status == NUCE_OK) {
        int dimensions = 2;

        nuce_mesh_from_edges(reader.nodes, &reader.edges, out);
        /* Two dimensions if all nodes have the same z, else three, for cuts by rcb. */
        for (int64_t i = 1; i < reader.nodes; i++) {
            if (reader.node[i].x[2] != reader.node[0].x[2])
                dimensions = 3;
        }
        out->dimensions = dimensions;
        out->coordinates = nuce_allocate(reader.nodes * dimensions, sizeof *out->coordinates);
        for (int64_t i = 0; i < reader.nodes; i++)
            memcpy(out->coordinates + i * dimensions, reader.node[i].x,
                   (size_t)dimensions * sizeof *out->coordinates);
        out->note = notes[is_dual][reader.is_higher_order][reader.is_partitioned];
    }
    nuce_edge_list_fini(&reader.edges);
    free(reader.node);
    free(reader.cell);
    free(reader.face);
    free(reader.corners);
    return reader.status;
}

static nuce_status gmsh_parse(const char *path, const char *text, size_t length,
                              struct nuce_mesh *out, struct nuce_error *error)
{
    return read_graph(path, text, length, false, out, error);
}

static nuce_status gmsh_parse_dual(const char *path, const char *text, size_t length,
                                   struct nuce_mesh *out, struct nuce_error *error)
{
    return read_graph(path, text, length, true, out, error);
}

static const char *const endings[] = {".msh", NULL};

const struct nuce_mesh_format nuce_mesh_gmsh = {
    .name = "gmsh",
    .summary = "Gmsh mesh, ASCII 2 or 4: the edges of its elements, by their corners, or its cells",
    .endings = endings,
    .parse = gmsh_parse,
    .parse_dual = gmsh_parse_dual,
};
