/* Mesh files: the format by the ending of the name, plain or gzip'd, and the meshes that nuce
 * ships, which users name without an ending. */
#include "instances/mesh.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/folder.h"
#include "base/int.h"
#include "base/scanner.h"
#include "base/text.h"

/* Below the folder of nuce's data (base/data.h). */
#define SHIPPED_FOLDER "configs/meshes"

/* Initial room for a file's text, in bytes; doubled as it grows. */
#define FIRST_BYTES (1 << 20)

#define X(name) extern const struct nuce_mesh_format nuce_mesh_##name;
#include "instances/formats.def"
#undef X

#define X(name) &nuce_mesh_##name,
const struct nuce_mesh_format *const nuce_mesh_formats[] = {
#include "instances/formats.def"
    NULL,
};
#undef X

void nuce_mesh_fini(struct nuce_mesh *mesh)
{
    free(mesh->start);
    free(mesh->neighbor);
    free(mesh->coordinates);
    *mesh = (struct nuce_mesh){0};
}

/* True if the length bytes at text have that ending, with something before it. */
static bool mesh_ends_in(const char *text, size_t length, const char *ending)
{
    size_t tail = strlen(ending);

    return length > tail && memcmp(text + length - tail, ending, tail) == 0;
}

/* The format that path's ending names, or NULL; *stem is the length of path without it. */
static const struct nuce_mesh_format *find_format(const char *path, size_t *stem)
{
    size_t length = strlen(path);

    if (mesh_ends_in(path, length, ".gz"))
        length -= strlen(".gz");
    for (const struct nuce_mesh_format *const *format = nuce_mesh_formats; *format != NULL;
         format++) {
        for (const char *const *ending = (*format)->endings; *ending != NULL; ending++) {
            if (mesh_ends_in(path, length, *ending)) {
                *stem = length - strlen(*ending);
                return *format;
            }
        }
    }
    return NULL;
}

const struct nuce_mesh_format *nuce_mesh_format_of(const char *path)
{
    size_t stem;

    return find_format(path, &stem);
}

/* All endings of all formats: ".graph, .metis, .msh or .mtx". */
static void list_endings(char *buffer, size_t size)
{
    size_t used = 0;

    buffer[0] = '\0';
    for (const struct nuce_mesh_format *const *format = nuce_mesh_formats; *format != NULL;
         format++) {
        for (const char *const *ending = (*format)->endings; *ending != NULL; ending++) {
            bool last = format[1] == NULL && ending[1] == NULL;
            int length = snprintf(buffer + used, size - used, "%s%s",
                                  used == 0 ? ""
                                  : last    ? " or "
                                            : ", ",
                                  *ending);

            NUCE_ASSERT(length > 0 && (size_t)length < size - used);
            used += (size_t)length;
        }
    }
}

/* Most bytes of an unpacked file: some 5 million elements. A few compressed megabytes can hold any
 * amount of blanks. Users can unpack a larger file themselves. */
#define MOST_UNPACKED (INT64_C(1) << 29)

nuce_status nuce_mesh_read(const char *path, enum nuce_mesh_graph graph, struct nuce_mesh *out,
                           struct nuce_error *error)
{
    const struct nuce_mesh_format *format = nuce_mesh_format_of(path);
    int64_t length = 0, capacity = 0;
    struct nuce_scanner scanner;
    char endings[128], *text = NULL;
    const char *reason;
    gzFile file;
    int got, code;

    if (format == NULL) {
        list_endings(endings, sizeof endings);
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: not a mesh file's name; expected one that ends in %s (.gz may "
                              "follow)",
                              path, endings);
    }
    if (graph == NUCE_MESH_DUAL && format->parse_dual == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: a graph already, without cells; expected graph: nodal, or a "
                              "mesh of cells (.msh)",
                              path);
    if (nuce_data_check_file(path, "a mesh file", error) != NUCE_OK)
        return error->status;
    /* Opened through zlib, which reads plain files unchanged. */
    errno = 0;
    file = gzopen(path, "rb");
    if (file == NULL)
        return nuce_error_set(error, errno == 0 || errno == ENOMEM ? NUCE_FAILED : NUCE_BAD_INPUT,
                              "%s: %s; expected a mesh file", path,
                              errno == 0 ? "out of memory" : strerror(errno));
    gzbuffer(file, FIRST_BYTES);
    do {
        nuce_allocate_more((void **)&text, &capacity, length + FIRST_BYTES, 1);
        got = gzread(file, text + length, FIRST_BYTES);
        length += got > 0 ? got : 0;
    } while (got > 0 && (length <= MOST_UNPACKED || gzdirect(file)));
    reason = gzerror(file, &code);
    if (length > MOST_UNPACKED && !gzdirect(file))
        error->status = nuce_error_set(error, NUCE_BAD_INPUT,
                                       "%s: more than 512 MiB when unpacked; expected less, or the "
                                       "file unpacked (gunzip)",
                                       path);
    else if (code == Z_OK || code == Z_STREAM_END)
        error->status = (graph == NUCE_MESH_DUAL ? format->parse_dual : format->parse)(
            path, text, (size_t)length, out, error);
    else if (code == Z_ERRNO)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    else {
        /* A truncated compressed file (got == 0 and Z_BUF_ERROR) is an error with its place, not a
         * smaller mesh. */
        nuce_scanner_init(&scanner, path, text, (size_t)length);
        nuce_scanner_fail(&scanner, scanner.end, error,
                          "the compressed data break off here (zlib: %s); expected a whole gzip "
                          "file",
                          code == Z_BUF_ERROR ? "unexpected end of file" : reason);
    }
    gzclose_r(file);
    free(text);
    return error->status;
}

/* The mesh files of nuce's folder in the order of their names; an absent folder has none. Freed
 * with nuce_folder_fini, for any result. */
static nuce_status list_shipped(struct nuce_folder *out, struct nuce_error *error)
{
    char *folder = nuce_data_path(SHIPPED_FOLDER, error);
    nuce_status status = NUCE_FAILED;

    *out = (struct nuce_folder){0};
    if (folder != NULL)
        status = nuce_folder_read(out, error, "%s", folder);
    free(folder);
    return status;
}

/* The name of the mesh in the file, which is the file's without endings; a new string, NULL: it is
 * no mesh. */
static char *mesh_name(const char *file)
{
    size_t stem;

    return find_format(file, &stem) == NULL ? NULL : nuce_text_format("%.*s", (int)stem, file);
}

nuce_status nuce_mesh_locate(const char *name, char **path, int *shipped, struct nuce_error *error)
{
    struct nuce_folder files;
    char **names, endings[128];
    const char *nearest;
    int count = 0, found = 0;

    *shipped = strchr(name, '/') == NULL && nuce_mesh_format_of(name) == NULL;
    if (!*shipped) {
        *path = nuce_text_format("%s", name);
        return NUCE_OK;
    }
    error->status = list_shipped(&files, error);
    names = nuce_allocate(files.count, sizeof *names);
    for (int k = 0; k < files.count && error->status == NUCE_OK && !found; k++) {
        names[count] = mesh_name(files.entries[k]->d_name);
        if (names[count] == NULL)
            continue;
        found = strcmp(names[count++], name) == 0;
        if (found)
            *path = nuce_text_format("%s/%s", files.path, files.entries[k]->d_name);
    }
    if (error->status == NUCE_OK && !found) {
        nearest = nuce_text_nearest(name, (const char *const *)names, (size_t)count);
        list_endings(endings, sizeof endings);
        error->status =
            nearest != NULL
                ? nuce_error_set(
                      error, NUCE_BAD_INPUT,
                      "unknown mesh '%s' (did you mean '%s'?); expected a mesh that nuce "
                      "ships or a file that ends in %s (.gz may follow)",
                      name, nearest, endings)
                : nuce_error_set(error, NUCE_BAD_INPUT,
                                 "unknown mesh '%s'; expected a mesh that nuce ships (%s%s) or a "
                                 "file that ends in %s (.gz may follow)",
                                 name, count > 0 ? "such as " : "none is installed",
                                 count > 0 ? names[0] : "", endings);
    }
    for (int k = 0; k < count; k++)
        free(names[k]);
    free(names);
    nuce_folder_fini(&files);
    return error->status;
}

nuce_status nuce_mesh_each_shipped(nuce_status (*each)(void *context, const char *name,
                                                       struct nuce_error *error),
                                   void *context, struct nuce_error *error)
{
    struct nuce_folder files;
    nuce_status status = list_shipped(&files, error);

    for (int k = 0; status == NUCE_OK && k < files.count; k++) {
        char *name = mesh_name(files.entries[k]->d_name);

        if (name != NULL)
            status = each(context, name, error);
        free(name);
    }
    nuce_folder_fini(&files);
    return status;
}

/* Edges in a reader's order, possibly repeated, become rows of sorted neighbours: counted, placed,
 * sorted, duplicates removed. Files give each edge of an element once for every element. */

void nuce_edge_list_fini(struct nuce_edge_list *list)
{
    free(list->edge);
    *list = (struct nuce_edge_list){0};
}

void nuce_edge_list_add(struct nuce_edge_list *list, int32_t a, int32_t b)
{
    nuce_allocate_more((void **)&list->edge, &list->capacity, list->count + 1, sizeof *list->edge);
    list->edge[list->count][0] = a;
    list->edge[list->count][1] = b;
    list->count++;
}

/* If the list cannot be shortened it keeps its length: no failure. */
void nuce_mesh_from_edges(int64_t nodes, const struct nuce_edge_list *list, struct nuce_mesh *out)
{
    int64_t *start = nuce_allocate(nodes + 1, sizeof *start), kept = 0;
    int32_t *neighbor = nuce_allocate(2 * list->count, sizeof *neighbor);
    int32_t *trimmed;

    /* Rows with both directions of every edge but loops. */
    for (int64_t k = 0; k < list->count; k++) {
        const int32_t *edge = list->edge[k];

        start[edge[0]] += edge[0] != edge[1];
        start[edge[1]] += edge[0] != edge[1];
    }
    for (int64_t i = 0, sum = 0; i <= nodes; i++) {
        sum += start[i];
        start[i] = sum;
    }
    /* Filling each row from its end moves start[i] from the end of the row to its beginning. */
    for (int64_t k = 0; k < list->count; k++) {
        const int32_t *edge = list->edge[k];

        if (edge[0] != edge[1]) {
            neighbor[--start[edge[0]]] = edge[1];
            neighbor[--start[edge[1]]] = edge[0];
        }
    }
    /* Sorts each row, and closes the gaps of duplicates. */
    for (int64_t i = 0; i < nodes; i++) {
        int64_t first = start[i], last = start[i + 1];

        start[i] = kept;
        qsort(neighbor + first, (size_t)(last - first), sizeof *neighbor, nuce_int_compare);
        for (int64_t k = first; k < last; k++) {
            if (k == first || neighbor[k] != neighbor[k - 1])
                neighbor[kept++] = neighbor[k];
        }
    }
    start[nodes] = kept;
    trimmed = reallocarray(neighbor, kept > 0 ? (size_t)kept : 1, sizeof *neighbor);
    *out = (struct nuce_mesh){
        .nodes = nodes,
        .edges = kept / 2,
        .start = start,
        .neighbor = trimmed != NULL ? trimmed : neighbor,
    };
}
