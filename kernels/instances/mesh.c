/* Mesh files: the format by the ending of the name, plain or gzip'd, and the meshes that nuce
 * ships, which users call by a name without ending. */
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
#include "base/scanner.h"
#include "base/text.h"

/* Below the folder of nuce's data (base/data.h). */
#define SHIPPED_FOLDER "configs/meshes"

/* Bytes a file's text is first given room for; doubled as it grows. */
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

/* Whether the length bytes at text end so, with something before the ending. */
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

/* Bytes that a compressed file may hold: some 5 million elements. Some megabytes of it can be any
 * amount of blanks; a file that is larger can be unpacked, and takes the room that it shows. */
#define MOST_UNPACKED (INT64_C(1) << 29)

/* Text of a file as it grows. */
struct content {
    char *text;
    int64_t length, capacity;
};

/* What zlib says went wrong, or errno's text. */
static const char *mesh_reason(gzFile file)
{
    int code;
    const char *text = gzerror(file, &code);

    return code == Z_ERRNO ? strerror(errno) : text;
}

/* Reads the whole text. A compressed file that breaks off is an error with its place, not a mesh
 * that is a little smaller. */
static nuce_status read_content(const char *path, gzFile file, struct content *content,
                                struct nuce_error *error)
{
    struct nuce_scanner scanner;
    int got, code;

    do {

        nuce_allocate_more((void **)&content->text, &content->capacity,
                           content->length + FIRST_BYTES, 1);
        got = gzread(file, content->text + content->length, FIRST_BYTES);
        content->length += got > 0 ? got : 0;
        if (content->length > MOST_UNPACKED && !gzdirect(file))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s: more than 512 MiB when unpacked; expected less, or the file "
                                  "unpacked (gunzip)",
                                  path);
    } while (got > 0);
    /* A cut-off gzip file ends with got == 0 and Z_BUF_ERROR. */
    gzerror(file, &code);
    if (code == Z_OK || code == Z_STREAM_END)
        return NUCE_OK;
    if (code == Z_ERRNO)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, mesh_reason(file));
    nuce_scanner_init(&scanner, path, content->text, (size_t)content->length);
    return nuce_scanner_fail(&scanner, scanner.end, error,
                             "the compressed data break off here (zlib: %s); expected a whole gzip "
                             "file",
                             code == Z_BUF_ERROR ? "unexpected end of file" : mesh_reason(file));
}

/* Opens through zlib, which reads plain files as they are. */
static nuce_status mesh_load(const char *path, struct content *content, struct nuce_error *error)
{
    gzFile file;
    nuce_status status;

    if (nuce_data_check_file(path, "a mesh file", error) != NUCE_OK)
        return error->status;
    errno = 0;
    file = gzopen(path, "rb");
    if (file == NULL)
        return nuce_error_set(error, errno == 0 || errno == ENOMEM ? NUCE_FAILED : NUCE_BAD_INPUT,
                              "%s: %s; expected a mesh file", path,
                              errno == 0 ? "out of memory" : strerror(errno));
    gzbuffer(file, FIRST_BYTES);
    status = read_content(path, file, content, error);
    gzclose_r(file);
    return status;
}

nuce_status nuce_mesh_read(const char *path, struct nuce_mesh *out, struct nuce_error *error)
{
    const struct nuce_mesh_format *format = nuce_mesh_format_of(path);
    struct content content = {0};
    char endings[128];
    nuce_status status;

    if (format == NULL) {
        list_endings(endings, sizeof endings);
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: not a mesh file's name; expected one that ends in %s (.gz may "
                              "follow)",
                              path, endings);
    }
    status = mesh_load(path, &content, error);
    if (status == NUCE_OK)
        status = format->parse(path, content.text, (size_t)content.length, out, error);
    free(content.text);
    return status;
}

/* The mesh files in a folder: each file's name, and the name of the mesh (without endings). */
struct shipped {
    int64_t count;
    char **file;
    char **name;
};

static void shipped_fini(struct shipped *shipped)
{
    for (int64_t k = 0; k < shipped->count; k++) {
        free(shipped->file[k]);
        free(shipped->name[k]);
    }
    free(shipped->file);
    free(shipped->name);
}

/* The mesh files of nuce's folder in the order of their names; an absent folder ships none. *folder
 * is a new string. */
static nuce_status shipped_list(struct shipped *out, char **folder, struct nuce_error *error)
{
    struct nuce_folder files;
    nuce_status status;
    size_t stem;

    *folder = nuce_data_path(SHIPPED_FOLDER, error);
    if (*folder == NULL)
        return NUCE_FAILED;
    status = nuce_folder_read(&files, error, "%s", *folder);
    out->file = nuce_allocate(files.count, sizeof *out->file);
    out->name = nuce_allocate(files.count, sizeof *out->name);
    for (int k = 0; k < files.count && status == NUCE_OK; k++) {
        const char *file = files.entries[k]->d_name;

        if (find_format(file, &stem) == NULL)
            continue;
        out->file[out->count] = nuce_text_format("%s", file);
        out->name[out->count++] = nuce_text_format("%.*s", (int)stem, file);
    }
    nuce_folder_fini(&files);
    return status;
}

/* NUCE_BAD_INPUT that says which mesh may have been meant. */
static nuce_status unknown_mesh(const char *name, const struct shipped *shipped,
                                struct nuce_error *error)
{
    const char *nearest =
        nuce_text_nearest(name, (const char *const *)shipped->name, (size_t)shipped->count);
    char endings[128];

    list_endings(endings, sizeof endings);
    if (nearest != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "unknown mesh '%s' (did you mean '%s'?); expected a mesh that nuce "
                              "ships or a file that ends in %s (.gz may follow)",
                              name, nearest, endings);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "unknown mesh '%s'; expected a mesh that nuce ships (%s%s) or a file "
                          "that ends in %s (.gz may follow)",
                          name, shipped->count > 0 ? "such as " : "none is installed",
                          shipped->count > 0 ? shipped->name[0] : "", endings);
}

nuce_status nuce_mesh_locate(const char *name, char **path, int *shipped, struct nuce_error *error)
{
    struct shipped list = {0};
    char *folder = NULL;
    int64_t k = 0;
    nuce_status status;

    *shipped = strchr(name, '/') == NULL && nuce_mesh_format_of(name) == NULL;
    if (!*shipped) {
        *path = nuce_text_format("%s", name);
        return NUCE_OK;
    }
    status = shipped_list(&list, &folder, error);
    while (k < list.count && strcmp(list.name[k], name) != 0)
        k++;
    if (status == NUCE_OK && k < list.count)
        *path = nuce_text_format("%s/%s", folder, list.file[k]);
    else if (status == NUCE_OK)
        status = unknown_mesh(name, &list, error);
    free(folder);
    shipped_fini(&list);
    return status;
}

nuce_status nuce_mesh_each_shipped(nuce_status (*each)(void *context, const char *name,
                                                       struct nuce_error *error),
                                   void *context, struct nuce_error *error)
{
    struct shipped list = {0};
    char *folder = NULL;
    nuce_status status = shipped_list(&list, &folder, error);

    for (int64_t k = 0; status == NUCE_OK && k < list.count; k++)
        status = each(context, list.name[k], error);
    free(folder);
    shipped_fini(&list);
    return status;
}

/* Edges as a reader meets them, in any order and repeated, become rows of sorted neighbours:
 * counted, placed, sorted, doubles closed up. Files give each edge of an element once for every
 * element. */

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

/* Ascending. */
static int graph_compare_nodes(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;

    return (left > right) - (left < right);
}

/* Where the list cannot be made shorter it stays as long as it was: no failure. */
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
    /* Each row sorted, and the gaps closed that doubles leave. */
    for (int64_t i = 0; i < nodes; i++) {
        int64_t first = start[i], last = start[i + 1];

        start[i] = kept;
        qsort(neighbor + first, (size_t)(last - first), sizeof *neighbor, graph_compare_nodes);
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
