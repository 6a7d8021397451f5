/* The mesh readers: the meshes of good files, and for each kind of bad input the exact place in the
 * message. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "instances/mesh.h"

static nuce_status parse_graph(const char *path, const char *text, enum nuce_mesh_graph graph,
                               struct nuce_mesh *mesh, struct nuce_error *error)
{
    const struct nuce_mesh_format *format = nuce_mesh_format_of(path);
    /* A copy of just the right length: the sanitizers see a reader that goes beyond it. */
    size_t length = strlen(text);
    char *copy = malloc(length > 0 ? length : 1);
    nuce_status status;

    assert_non_null(copy);
    memcpy(copy, text, length);
    *error = (struct nuce_error){0};
    status = (graph == NUCE_MESH_DUAL ? format->parse_dual : format->parse)(path, copy, length,
                                                                            mesh, error);
    free(copy);
    return status;
}

static nuce_status parse(const char *path, const char *text, struct nuce_mesh *mesh,
                         struct nuce_error *error)
{
    return parse_graph(path, text, NUCE_MESH_NODAL, mesh, error);
}

/* Mesh is the graph "0: 1 2; 1: 0; ..." written as rows of neighbours. */
static void assert_rows(const struct nuce_mesh *mesh, const char *expected)
{
    char text[512] = "";

    for (int64_t i = 0; i < mesh->nodes; i++) {
        size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "%s%lld:", i > 0 ? "; " : "", (long long)i);
        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++) {
            used = strlen(text);
            snprintf(text + used, sizeof text - used, " %d", mesh->neighbor[k]);
        }
    }
    assert_string_equal(text, expected);
    assert_int_equal(mesh->start[mesh->nodes], 2 * mesh->edges);
}

struct good {
    const char *path, *text, *rows;
    int dimensions;
    const char *note; /* a part of it; NULL: there is none */
};

#define MSH2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define MTX "%%MatrixMarket matrix coordinate real general\n"
#define MSH4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"

static const struct good goods[] = {
    {"a.graph", "3 0\n\n\n\n", "0:; 1:; 2:", 0, NULL},
    {"a.graph", "3 2\n2 3\n1\n1\n", "0: 1 2; 1: 0; 2: 0", 0, NULL},
    {"a.metis", "% a comment\n3 2\n3 2\n% another\n1\n1", "0: 1 2; 1: 0; 2: 0", 0, NULL},
    {"a.graph", "3 1\n2\n1\n\n", "0: 1; 1: 0; 2:", 0, NULL},
    {"a.graph", "2 1 1\n2 7\n1 7\n", "0: 1; 1: 0", 0, "weights of edges are"},
    {"a.graph", "2 1 11 2\n9 9 2 7\n9 9 1 7\n", "0: 1; 1: 0", 0, "weights of nodes and edges are"},
    {"a.graph", "2 1 111\r\n5 9 2 7\r\n5 9 1 7\r\n\n% end\n", "0: 1; 1: 0", 0,
     "sizes and weights of nodes and the"},
    {"a.graph", "2 1 100\n5 2\n5 1\n", "0: 1; 1: 0", 0, "sizes of nodes are"},
    {"a.mtx",
     "%%MatrixMarket matrix coordinate real general\n% c\n\n3 3 3\n1 2 0.5\n2 1 1e3\n3 1 -1\n",
     "0: 1 2; 1: 0; 2: 0", 0, NULL},
    {"a.mtx", "%%matrixmarket MATRIX Coordinate Pattern Symmetric\n3 3 3\n2 1\n2 2\n3 2\n",
     "0: 1; 1: 0 2; 2: 1", 0, NULL},
    {"a.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 -2\n", "0: 1; 1: 0",
     0, NULL},
    {"a.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 4", "0: 1; 1: 0",
     0, NULL},
    /* Weights are read over, whatever they are; 0 weights of nodes are 1; fmt may be short. */
    {"a.graph", "2 1 001\n2 0.9\n1 -1D0\n", "0: 1; 1: 0", 0, "weights of edges are"},
    {"a.graph", "2 1 10 0\n9 2\n9.5 1\n", "0: 1; 1: 0", 0, "weights of nodes are"},
    {"a.graph", "2 1 011 3\n1 2 3 2 7\n1 2 3 1 7\n", "0: 1; 1: 0", 0, "nodes and edges are"},
    {"a.graph", "2 1 110\n1 2 2\n1 2 1\n", "0: 1; 1: 0", 0, "sizes and weights of nodes are"},
    {"a.graph", "2 1 101\n1 2 2\n1 1 2\n", "0: 1; 1: 0", 0, "sizes of nodes and the weights"},
    {"a.graph", "2 1 0\n2\n1\n", "0: 1; 1: 0", 0, NULL},
    {"a.graph", "2 1 00 0\n2\n1\n", "0: 1; 1: 0", 0, NULL},
    /* Line ends of all kinds, alone and mixed; a byte order mark. */
    {"a.graph", "3 1\r2\r1\r\r", "0: 1; 1: 0; 2:", 0, NULL},
    {"a.graph", "\xef\xbb\xbf% c\r\n3 1\n\r\n3\r2\n", "0:; 1: 2; 2: 1", 0, NULL},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\r% c\r\r3 3 2\r2 1\r3 2\r",
     "0: 1; 1: 0 2; 2: 1", 0, NULL},
    /* Values that are no numbers of C, or no numbers. */
    {"a.mtx", MTX "3 3 6\n1 2 1.0D+00\n2 1 -2.5d-03\n3 1 0.1-100\n3 2 nan\n2 2 *****\n1 1 1,5\n",
     "0: 1 2; 1: 0 2; 2: 0 1", 0, NULL},
    {"a.mtx",
     "%%MatrixMarket matrix coordinate complex general\n2 2 3\n2 1 (1.0,2.0)\n1 2 ( 1.0, 2.0 )\n"
     "1 1 1D0 2D0\n",
     "0: 1; 1: 0", 0, NULL},
    /* One % before the banner, every field, few entries. */
    {"a.mtx", "%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "0: 1; 1: 0", 0,
     NULL},
    {"a.mtx", "%%MatrixMarket matrix coordinate DOUBLE Hermitian\n2 2 1\n2 1 1\n", "0: 1; 1: 0", 0,
     NULL},
    {"a.mtx", "%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n2 1 1\n",
     "0: 1; 1: 0", 0, NULL},
    /* A triangle with a construction point (9) and a line on its side; sparse tags. */
    {"a.msh",
     MSH2 "$Nodes\n4\n9 5 5 5\n30 0 1 0\n10 0 0 0\n20 1 0 0\n$EndNodes\n"
          "$Elements\n2\n1 1 2 0 1 10 20\n2 2 0 10 20 30\n$EndElements\n",
     "0: 1 2; 1: 0 2; 2: 0 1", 2, NULL},
    {"a.msh",
     MSH2 "$PhysicalNames\n1\n2 1 \"$wall\"\n$EndPhysicalNames\n"
          "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
          "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n",
     "0: 1 2 3; 1: 0 2 3; 2: 0 1 3; 3: 0 1 2", 3, NULL},
    {"a.msh",
     MSH2 "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n$EndNodes\n"
          "$Elements\n1\n1 7 0 1 2 3 4 5\n$EndElements\n",
     "0: 1 3 4; 1: 0 2 4; 2: 1 3 4; 3: 0 2 4; 4: 0 1 2 3", 3, NULL},
    {"a.msh",
     MSH2 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 0 1\n5 1 0 1\n6 1 1 1\n$EndNodes\n"
          "$Elements\n1\n1 6 0 1 2 3 4 5 6\n$EndElements\n",
     "0: 1 2 3; 1: 0 2 4; 2: 0 1 5; 3: 0 4 5; 4: 1 3 5; 5: 2 3 4", 3, NULL},
    {"a.msh",
     MSH2 "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n"
          "$EndNodes\n$Elements\n1\n1 5 0 1 2 3 4 5 6 7 8\n$EndElements\n",
     "0: 1 3 4; 1: 0 2 5; 2: 1 3 6; 3: 0 2 7; 4: 0 5 7; 5: 1 4 6; 6: 2 5 7; 7: 3 4 6", 3, NULL},
    /* Two quads, the second block parametric, a block of points and one of lines. */
    {"a.msh",
     MSH4 "$Entities\n0 0 0 0\n$EndEntities\n"
          "$Nodes\n2 6 1 6\n0 1 0 2\n1\n2\n0 0 0\n1 0 0\n2 1 1 4\n3\n4\n5\n6\n"
          "1 1 0 .5 .5\n0 1 0 0 0\n2 0 0 1 1\n2 1 0 1 2\n$EndNodes\n"
          "$Elements\n3 4 1 4\n0 1 15 1\n1 1\n1 1 1 1\n2 1 2\n"
          "2 1 3 2\n3 1 2 3 4\n4 2 5 6 3\n$EndElements\n",
     "0: 1 3; 1: 0 2 4; 2: 1 3 5; 3: 0 2; 4: 1 5; 5: 2 4", 2, NULL},
    /* Second order by its corners, behind a line and a triangle of it; sections in any order. */
    {"a.msh",
     "$Elements\n3\n1 8 0 1 2 5\n2 9 0 1 2 3 5 6 9\n3 9 0 1 3 4 9 7 8\n$EndElements\n"
     "$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 .5 0 0\n6 1 .5 0\n7 .5 1 0\n8 0 .5 0\n"
     "9 .5 .5 0\n$EndNodes\n$Comments\nx $EndNodes\n$EndComments\n" MSH2,
     "0: 1 2 3; 1: 0 2; 2: 0 1 3; 3: 0 2", 2, "by their corners"},
    {"a.msh",
     MSH4 "$Nodes\n1 10 1 10\n3 1 0 10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n0 0 0\n1 0 0\n0 1 0\n"
          "0 0 1\n5 0 0\n6 0 0\n7 0 0\n8 0 0\n9 0 0\n9 1 0\n$EndNodes\n"
          "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
     "0: 1 2 3; 1: 0 2 3; 2: 0 1 3; 3: 0 1 2", 3, "by their corners"},
    /* Versions 2.1 and 4.0: there a block's tag comes first, and a node has its place behind it. */
    {"a.msh",
     "$MeshFormat\n2.1 0 8\n$EndMeshFormat\n" NODES2
     "$Elements\n1\n1 2 3 0 1 0 1 2 3\n$EndElements\n",
     "0: 1 2; 1: 0 2; 2: 0 1", 2, NULL},
    {"a.msh",
     "$MeshFormat\r\n4 0 8\r\n$EndMeshFormat\r\n$Nodes\r\n2 3\r\n7 1 1 1\r\n1 0 0 0 .5\r\n"
     "8 2 0 2\r\n2 1 0 0\r\n3 0 1 0\r\n$EndNodes\r\n$Elements\r\n1 1\r\n8 2 2 1\r\n1 1 2 3\r\n"
     "$EndElements\r\n",
     "0: 1 2; 1: 0 2; 2: 0 1", 2, NULL},
};

static void test_good(void **state)
{
    for (size_t k = 0; k < COUNT(goods); k++) {
        OWNED(mesh) mesh = {0};
        struct nuce_error error;
        const char *note;
        nuce_status status = parse(goods[k].path, goods[k].text, &mesh, &error);

        if (status != NUCE_OK)
            fail_msg("good file %zu: %s", k, nuce_error_flatten(&error));
        assert_rows(&mesh, goods[k].rows);
        assert_int_equal(mesh.dimensions, goods[k].dimensions);
        assert_true((mesh.coordinates != NULL) == (mesh.dimensions > 0));
        /* The note of a .msh names first the exchanged values, then special properties. */
        note = mesh.note;
        if (strstr(goods[k].path, ".msh") != NULL) {
            assert_non_null(strstr(note, "for ghost cells give graph: dual"));
            note = strchr(strchr(note, ';') + 1, ';');
        }
        if ((note != NULL) != (goods[k].note != NULL) ||
            (note != NULL && strstr(note, goods[k].note) == NULL))
            fail_msg("good file %zu: note '%s'", k, note != NULL ? note : "");
    }
}

/* Graphs of cells. */
static const struct good duals[] = {
    /* A hexahedron (1 .. 8) with a pyramid on it and a prism beside it, a tetrahedron at a triangle
     * of each, and one that has an edge in common with three others and a face with none. */
    {"a.msh",
     MSH2 "$Nodes\n15\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n"
          "9 .5 .5 2\n10 .5 -1 2\n11 2 .5 0\n12 2 .5 1\n13 2 .5 -1\n14 .2 -1 1\n15 .8 -1 1\n"
          "$EndNodes\n$Elements\n8\n1 1 0 1 2\n2 2 0 1 2 3\n3 5 0 1 2 3 4 5 6 7 8\n"
          "4 7 0 5 6 7 8 9\n5 4 0 9 5 10 6\n6 6 0 2 3 11 6 7 12\n7 4 0 13 11 3 2\n"
          "8 4 0 5 6 14 15\n$EndElements\n",
     "0: 1 3; 1: 0 2; 2: 1; 3: 0 4; 4: 3; 5:", 3, NULL},
    /* Two quadrangles in the plane z = 0.1, behind a line. */
    {"a.msh",
     MSH4 "$Nodes\n1 6 1 6\n2 1 0 6\n1\n2\n3\n4\n5\n6\n0 0 .1\n1 0 .1\n1 1 .1\n0 1 .1\n2 0 .1\n"
          "2 1 .1\n$EndNodes\n$Elements\n2 3 1 3\n1 1 1 1\n1 1 2\n2 1 3 2\n2 1 2 3 4\n3 2 5 6 3\n"
          "$EndElements\n",
     "0: 1; 1: 0", 2, NULL},
    /* Two triangles in partitions; the first is in three physical groups, in one reversed. */
    {"a.msh",
     MSH2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n4\n"
          "1 2 4 1 1 1 1 1 2 3\n2 2 4 2 1 1 1 1 2 3\n3 2 4 1 1 1 2 1 3 4\n"
          "4 2 4 3 1 1 1 3 2 1\n$EndElements\n",
     "0: 1; 1: 0", 2, "its own partition is not used"},
    /* Three triangles at one edge, of the second order; lines that follow each other. */
    {"a.msh",
     MSH2 "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 -1 0\n$EndNodes\n$Elements\n3\n"
          "1 9 0 1 2 3 1 1 1\n2 9 0 2 1 4 1 1 1\n3 9 0 1 5 2 1 1 1\n$EndElements\n",
     "0: 1 2; 1: 0 2; 2: 0 1", 3, "elements of a higher order are read by their corners"},
    {"a.msh",
     MSH2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n2\n1 1 0 1 2\n2 1 0 2 3\n"
          "$EndElements\n",
     "0: 1; 1: 0", 2, NULL},
};

static void test_dual(void **state)
{
    struct nuce_error error;
    struct nuce_mesh mesh = {0};
    char many[4096] = MSH2 "$Nodes\n67\n";

    for (size_t k = 0; k < COUNT(duals); k++) {
        OWNED(mesh) dual = {0};

        if (parse_graph(duals[k].path, duals[k].text, NUCE_MESH_DUAL, &dual, &error) != NUCE_OK)
            fail_msg("dual %zu: %s", k, nuce_error_flatten(&error));
        assert_rows(&dual, duals[k].rows);
        assert_int_equal(dual.dimensions, duals[k].dimensions);
        assert_true((dual.note != NULL) == (duals[k].note != NULL));
        if (dual.note != NULL)
            assert_non_null(strstr(dual.note, duals[k].note));
        if (k == 1) { /* the middle of each */
            const double middles[] = {.5, .5, 1.5, .5};

            assert_memory_equal(dual.coordinates, middles, sizeof middles);
        }
    }
    for (int node = 1; node <= 67; node++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%d %d 0 0\n", node, node);
    strcat(many, "$EndNodes\n$Elements\n65\n");
    for (int cell = 1; cell <= 65; cell++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%d 2 0 1 2 %d\n", cell,
                 cell + 2);
    strcat(many, "$EndElements\n");
    assert_int_equal(parse_graph("a.msh", many, NUCE_MESH_DUAL, &mesh, &error), NUCE_BAD_INPUT);
    assert_says(&error, "65 cells share a face of this one; expected at most 64");
    assert_null(mesh.start);
}

struct bad {
    const char *path, *text;
    const char *message; /* how it begins */
    const char *part;    /* the second part of the note */
};

static const struct bad bads[] = {
    {"a.graph", "", "a.graph:1:1: the file is empty", "expected a header"},
    {"a.graph", "% only\n% comments\n", "a.graph:3:1: the file is empty", "header"},
    {"a.graph", "0 0\n", "a.graph:1:1: 0 is out of range", "nodes, 1 to"},
    {"a.graph", "2000000000 1\n2\n1\n",
     "a.graph:1:1: the file is too short for 2000000000 nodes; expected more", "is it cut off?"},
    {"a.graph", "2 99\n2\n1\n", "a.graph:1:3: the file is too short for 99 edges", "cut off?"},
    {"a.graph", "99999999999999999999 1\n2\n1\n", "a.graph:1:1: 99999999999999999999 is out", ""},
    {"a.graph", "2\n2\n1\n", "a.graph:1:2: the line ends", "the number of edges"},
    {"a.graph", "2 -1\n2\n1\n", "a.graph:1:3: -1 is out of range", "0 to"},
    {"a.graph", "2 one\n2\n1\n", "a.graph:1:3: 'one' is not a whole number", "edges"},
    {"a.graph", "2 1 2\n2\n1\n", "a.graph:1:5: '2' is not a format", "0 or 1"},
    {"a.graph", "2 1 0011\n2\n1\n", "a.graph:1:5: '0011' is not a format", "three digits"},
    {"a.graph", "2 1 10 -1\n2\n1\n", "a.graph:1:8: -1 is out of range", "weights"},
    {"a.graph", "2 1 10 1 1\n2\n1\n", "a.graph:1:10: '1' is too much", "nodes, edges"},
    {"a.graph", "3 2\n2 3\n1\n", "a.graph:4:1: the file ends after 2 nodes", "expected 3, a line"},
    {"a.graph", "2 1\n2\n1\n\n2\n", "a.graph:5:1: a line too many", "expected 2"},
    {"a.graph", "2 1\n 2 3\n1\n", "a.graph:2:4: 3 is out of range", "1 to 2"},
    {"a.graph", "2 1\n2\n0\n", "a.graph:3:1: 0 is out of range",
     "1 to 2: this format counts from 1"},
    {"a.graph", "2 1\r2\r0\r", "a.graph:3:1: 0 is out of range", "counts from 1"},
    {"a.graph", "2 1\n\n2\n1\n", "a.graph:3:1: node 2 lists itself",
     "(the empty line 2 is node 1, without neighbours)"},
    {"a.graph", "3 1\n2\n1\n\n\n2\n", "a.graph:6:1: a line too many", "empty line 4 is node 3"},
    {"a.graph", "2 1\n2\n1.5\n", "a.graph:3:1: '1.5' is not a whole number", "neighbour"},
    {"a.graph", "2 1\n2 1\n1\n", "a.graph:2:3: node 1 lists itself", "expected other"},
    {"a.graph", "2 2\n2 2\n1 1\n", "a.graph:2:3: node 1 lists node 2 twice", "once"},
    {"a.graph", "3 1\n2\n\n1\n", "a.graph:2:1: node 1 lists node 2, but node 2", "symmetric"},
    {"a.graph", "3 3\n2 3\n1\n1\n", "a.graph:1:3: 3 edges, but 4 neighbours", "two for each"},
    {"a.graph", "2 1 1\n2\n1 1\n", "a.graph:2:2: the line ends", "weight of the edge"},
    {"a.graph", "2 1 10\n\n1 1\n", "a.graph:2:1: the line ends", "weight of the node (the empty"},
    {"a.graph", "\xff\xfe\x32", "a.graph:1:1: the text is UTF-16", "expected UTF-8"},
    {"a.mtx", "", "a.mtx:1:1: the file ends", "%%MatrixMarket"},
    {"a.mtx", "%%%MatrixMarket matrix", "a.mtx:1:1: '%%%MatrixMarket' is not supported", ""},
    {"a.mtx", "3 3 1\n2 1\n", "a.mtx:1:1: '3' is not supported", "expected the banner"},
    {"a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n",
     "a.mtx:1:23: 'array' is not supported: a dense matrix", "expected coordinate"},
    {"a.mtx", "%%MatrixMarket matrix coordinate quaternion general\n", "a.mtx:1:34: 'quaternion'",
     "expected real"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real\n1 1 0\n", "a.mtx:1:38: the line ends",
     "general"},
    {"a.mtx", MTX, "a.mtx:2:1: the file ends", "rows columns entries"},
    {"a.mtx", MTX "2 3 1\n1 2 1\n", "a.mtx:2:3: 3 columns", "as many as rows, 2"},
    {"a.mtx", MTX "0 0 0\n", "a.mtx:2:1: 0 is out of range", "rows, 1 to"},
    {"a.mtx", MTX "2000000000 2000000000 1\n1 2 1\n", "a.mtx:2:1: 2000000000 rows in a file of",
     "expected at most 1048576"},
    {"a.mtx", MTX "2 1\n3 2\n", "a.mtx:2:1: no line of sizes", "rows columns entries"},
    {"a.mtx", MTX "1 1 0.5\n2 1 0.5\n", "a.mtx:2:1: no line of sizes", "rows columns entries"},
    {"a.mtx", MTX "2 1 5\n3 2 7\n", "a.mtx:2:3: 1 columns", "'rows columns entries' is missing"},
    {"a.mtx", MTX "2 2 1\n0 1 1\n", "a.mtx:3:1: 0 is out of range", "a row, 1 to 2: this format"},
    {"a.mtx", MTX "2 2 999\n1 2 1\n", "a.mtx:2:5: the file is too short for 999 entries",
     "cut off?"},
    {"a.mtx", MTX "2 2 2\n1 2 1\n", "a.mtx:4:1: the file ends after 1 entries", "expected 2"},
    {"a.mtx", MTX "2 2 1\n1 2 1\n2 1 1\n", "a.mtx:4:1: a line too many", "expected 1"},
    {"a.mtx", MTX "2 2 1\n1 3 1\n", "a.mtx:3:3: 3 is out of range", "a column, 1 to 2"},
    {"a.mtx", MTX "2 2 1\n1 2\n", "a.mtx:3:4: the line ends", "a value"},
    {"a.mtx", MTX "2 2 1\n1 2 1 1\n", "a.mtx:3:7: '1' is too much", "row, column and value"},
    {"a.msh", "", "a.msh:1:1: the file ends", "$MeshFormat"},
    {"a.msh", "$Nodes\n$EndNodes\n", "a.msh:3:1: the file ends; expected $MeshFormat", ""},
    {"a.msh", "$NOD\n1\n", "a.msh:1:1: $NOD of version 1", "gmsh FILE"},
    {"a.msh", "$MeshFormat\n2.2 1 8\n", "a.msh:2:5: file type '1' is binary", "gmsh FILE"},
    {"a.msh", "$MeshFormat\n5 0 8\n", "a.msh:2:1: version '5' is not supported", "4 or 4.1"},
    {"a.msh", MSH2, "a.msh:4:1: the file ends without elements", "$Nodes and $Elements"},
    {"a.msh", MSH2 "rubbish\n", "a.msh:4:1: 'rubbish'", "a section"},
    {"a.msh", MSH2 "$Comment\nabc\n", "a.msh:6:1: the file ends", "$EndComment"},
    {"a.msh", MSH2 "$ParametricNodes\n", "a.msh:4:1: $ParametricNodes are not", "$Nodes"},
    {"a.msh", MSH2 "$Nodes\n0\n$EndNodes\n", "a.msh:5:1: 0 is out of range", "nodes"},
    {"a.msh", MSH2 "$Nodes\n99999\n1 0 0 0\n", "a.msh:5:1: the file is too short for 99999 nodes",
     "cut off?"},
    {"a.msh", MSH2 "$Nodes\n2\n1 0 0 0\n2 0 0", "a.msh:7:6: the file ends", "a coordinate"},
    {"a.msh", MSH2 "$Nodes\n2\n1 0 0 0\n2 0 inf 0\n", "a.msh:7:5: 'inf' is not a finite", ""},
    {"a.msh", MSH2 "$Nodes\n2\n1 0 0 0\n1 0 1 0\n$EndNodes\n",
     "a.msh:7:1: node number 1 comes twice", "once"},
    {"a.msh", MSH2 "$Nodes\n2\n1 0 0 0\n0 0 1 0\n$EndNodes\n", "a.msh:7:1: 0 is out of range", ""},
    {"a.msh", MSH2 "$Nodes\n1\n1 0 0 0\n2 0 0 1\n$EndNodes\n", "a.msh:7:1: '2'; expected $EndNodes",
     ""},
    {"a.msh", MSH2 NODES2 NODES2, "a.msh:10:1: a second $Nodes", "expected one"},
    {"a.msh", MSH2 "$Elements\n1\n1 1 0 1 2\n$EndElements\n",
     "a.msh:8:1: the file ends without elements", "$Nodes and $Elements"},
    {"a.msh", MSH2 "$Elements\n$EndElements\n$Elements\n$EndElements\n" NODES2,
     "a.msh:6:1: a second $Elements before $Nodes", ""},
    {"a.msh", MSH2 "$Elements\n1\n1 1 0 1 4\n$EndElements\n" NODES2,
     "a.msh:6:9: node 4 is not in $Nodes", "one of the 3"},
    {"a.msh", MSH2 NODES2 "$Elements\n1\n1 2 0 1 2 4\n$EndElements\n",
     "a.msh:12:11: node 4 is not in $Nodes", "one of the 3"},
    {"a.msh", MSH2 NODES2 "$Elements\n1\n1 34 0 1 2 3\n", "a.msh:12:3: element type 34 is not",
     "prisms or pyramids"},
    {"a.msh", MSH2 NODES2 "$Elements\n1\n1 9 0 1 2 3 1 2\n$EndElements\n",
     "a.msh:13:1: '$EndElements' is not a whole number", "a node's number"},
    {"a.msh", MSH2 NODES2 "$Elements\n2\n1 2 0 1 2 3\n", "a.msh:13:1: the file ends", "an element"},
    {"a.msh", MSH2 NODES2 "$Elements\n1\n1 2 0 1 2 3\n", "a.msh:13:1: the file ends",
     "$EndElements"},
    {"a.msh", MSH2 NODES2 "$Elements\n1\n1 15 0 1\n$EndElements\n",
     "a.msh:14:1: the file ends without elements", ""},
    {"a.msh", MSH4 "$Nodes\n1 2 1 2\n2 1 0 1\n1\n0 0 0\n$EndNodes\n",
     "a.msh:5:3: the blocks hold 1 nodes", "expected 2"},
    {"a.msh", MSH4 "$Nodes\n1 1 1 1\n2 1 0 2\n1\n2\n0 0 0\n", "a.msh:6:7: 2 is out of range",
     "0 to 1"},
    {"a.msh", MSH4 "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n", "a.msh:6:1: 4 is out of range",
     "dimension"},
    {"a.msh",
     MSH4 "$Nodes\n1 2 1 2\n2 1 0 2\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n"
          "$Elements\n1 2 1 2\n1 1 1 1\n1 1 2\n$EndElements\n",
     "a.msh:13:3: the blocks hold 1 elements", "expected 2"},
};

static void test_bad(void **state)
{
    for (size_t k = 0; k < COUNT(bads); k++) {
        struct nuce_mesh mesh = {0};
        struct nuce_error error;
        nuce_status status = parse(bads[k].path, bads[k].text, &mesh, &error);

        if (status != NUCE_BAD_INPUT ||
            strstr(nuce_error_flatten(&error), bads[k].message) != nuce_error_flatten(&error) ||
            strstr(nuce_error_flatten(&error), bads[k].part) == NULL ||
            strstr(nuce_error_flatten(&error), "expected") == NULL)
            fail_msg("bad file %zu (expected '%s ... %s'): %s", k, bads[k].message, bads[k].part,
                     status == NUCE_OK ? "accepted" : nuce_error_flatten(&error));
        assert_null(mesh.start);
    }
}

/* Every good file cut off anywhere is bad input or a smaller good file: never a crash. */
static void test_cut(void **state)
{
    for (size_t k = 0; k < COUNT(goods); k++) {
        char *text = strdup(goods[k].text);

        for (size_t length = strlen(text); length-- > 0;) {
            OWNED(mesh) mesh = {0};
            struct nuce_error error;
            nuce_status status;

            text[length] = '\0';
            status = parse(goods[k].path, text, &mesh, &error);
            assert_true(status == NUCE_OK || status == NUCE_BAD_INPUT);
        }
        free(text);
    }
}

static char *temporary_path(const char *ending)
{
    static char path[64];
    int file;

    snprintf(path, sizeof path, "/tmp/nuce-meshes-XXXXXX%s", ending);
    file = mkstemps(path, (int)strlen(ending));
    assert_true(file >= 0);
    close(file);
    return path;
}

static void write_file(const char *path, const char *mode, const void *bytes, unsigned length)
{
    gzFile file = gzopen(path, mode);

    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, length), length);
    assert_int_equal(gzclose(file), Z_OK);
}

/* Plain and compressed files, whatever the name says about compression. */
static void test_files(void **state)
{
    static const char *const modes[] = {"wb", "wbT"}; /* compressed, transparent */
    static const char *const endings[] = {".graph", ".graph.gz"};

    for (int k = 0; k < 4; k++) {
        char *path = temporary_path(endings[k % 2]);
        struct nuce_mesh mesh = {0};

        write_file(path, modes[k / 2], goods[1].text, (unsigned)strlen(goods[1].text));
        assert_ok(nuce_mesh_read(path, NUCE_MESH_NODAL, &mesh, ANY_ERROR));
        assert_rows(&mesh, goods[1].rows);
        nuce_mesh_fini(&mesh);
        unlink(path);
    }
}

static void test_cut_compressed(void **state)
{
    char *path = temporary_path(".graph.gz");
    char start[64];
    struct nuce_mesh mesh = {0};
    struct nuce_error error;
    FILE *file;
    long length;

    write_file(path, "wb", goods[1].text, (unsigned)strlen(goods[1].text));
    file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    fclose(file);
    assert_int_equal(truncate(path, length - 9), 0);
    assert_int_equal(nuce_mesh_read(path, NUCE_MESH_NODAL, &mesh, &error), NUCE_BAD_INPUT);
    assert_in_range(snprintf(start, sizeof start, "%s:", path), 1, (int)sizeof start - 1);
    assert_ptr_equal(strstr(nuce_error_flatten(&error), start), nuce_error_flatten(&error));
    assert_says(&error, "break off here");
    unlink(path);
}

static void test_names(void **state)
{
    struct nuce_mesh mesh = {0};
    struct nuce_error error;
    char *path = NULL;
    int shipped = -1;

    assert_string_equal(nuce_mesh_format_of("x/a.mtx.gz")->name, "matrix-market");
    assert_null(nuce_mesh_format_of("a.txt"));
    assert_null(nuce_mesh_format_of(".msh"));
    assert_int_equal(nuce_mesh_read("a.txt", NUCE_MESH_NODAL, &mesh, &error), NUCE_BAD_INPUT);
    assert_says(&error, ".graph, .metis, .msh or .mtx");
    assert_int_equal(nuce_mesh_read("/nowhere/a.msh", NUCE_MESH_NODAL, &mesh, &error),
                     NUCE_BAD_INPUT);
    assert_says(&error, "/nowhere/a.msh: No such file");
    assert_int_equal(nuce_mesh_read("a.graph", NUCE_MESH_DUAL, &mesh, &error), NUCE_BAD_INPUT);
    assert_says(&error, "a.graph: a graph already, without cells; expected graph: nodal");
    assert_ok(nuce_mesh_locate("a.msh", &path, &shipped, &error));
    assert_string_equal(path, "a.msh");
    assert_int_equal(shipped, 0);
    free(path);
    assert_ok(nuce_mesh_locate("wing-2800", &path, &shipped, &error));
    assert_non_null(strstr(path, "configs/meshes/wing-2800.msh.gz"));
    assert_int_equal(shipped, 1);
    free(path);
    assert_int_equal(nuce_mesh_locate("wing-280", &path, &shipped, &error), NUCE_BAD_INPUT);
    assert_says(&error, "did you mean 'wing-2800'");
    assert_int_equal(nuce_mesh_locate("..", &path, &shipped, &error), NUCE_BAD_INPUT);
}

RUN(test_good, test_dual, test_bad, test_cut, test_files, test_names, test_cut_compressed)
