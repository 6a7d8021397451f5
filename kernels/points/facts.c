/* Facts about files, found once for each file: its identity (name and SHA-256) and the size of its
 * content. A plan of a thousand points names the same mesh a thousand times. Facts hold as long as
 * the struct lives, even if a file changes meanwhile: all points of a plan use the same content. */
#include "points/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/text.h"
#include "capture/capture.h"
#include "instances/mesh.h"
#include "mapping/topology.h"
#include "schedules/network.h"
#include "schedules/pattern.h"
#include "schedules/words.h"

struct nuce_facts {
    struct nuce_fact *facts;
    int64_t count, capacity;
};

struct nuce_facts *nuce_facts_create(void)
{
    return nuce_allocate(1, sizeof(struct nuce_facts));
}

void nuce_facts_destroy(struct nuce_facts *facts)
{
    if (facts == NULL)
        return;
    for (int64_t i = 0; i < facts->count; i++) {
        free(facts->facts[i].name);
        free(facts->facts[i].identity);
    }
    free(facts->facts);
    free(facts);
}

/* The entry of name; adds it if there is none. A sweep names few files, so the search is linear. */
static struct nuce_fact *facts_lookup(struct nuce_facts *facts, const char *name)
{
    struct nuce_fact *fact;

    for (int64_t i = 0; i < facts->count; i++) {
        if (strcmp(facts->facts[i].name, name) == 0)
            return &facts->facts[i];
    }
    nuce_allocate_more((void **)&facts->facts, &facts->capacity, facts->count + 1,
                       sizeof *facts->facts);
    fact = &facts->facts[facts->count];
    *fact = (struct nuce_fact){.name = nuce_text_format("%s", name), .size = -1, .cells = -1};
    facts->count++;
    return fact;
}

/* BASENAME@SHA-256 of the file at path. */
static nuce_status file_identity(const char *path, char **out, struct nuce_error *error)
{
    char hex[NUCE_HASH_BYTES];

    if (nuce_hash_file(path, hex, error) != NUCE_OK)
        return error->status;
    *out = nuce_text_format("%s@%s", basename(path), hex);
    return NUCE_OK;
}

nuce_status nuce_facts_file_identity(struct nuce_facts *facts, const char *path, const char **out,
                                     struct nuce_error *error)
{
    struct nuce_fact *fact = facts_lookup(facts, path);

    if (fact->identity == NULL && file_identity(path, &fact->identity, error) != NUCE_OK)
        return error->status;
    *out = fact->identity;
    return NUCE_OK;
}

nuce_status nuce_facts_mesh_identity(struct nuce_facts *facts, const char *name, const char **out,
                                     struct nuce_error *error)
{
    struct nuce_fact *fact = facts_lookup(facts, name);
    char *path = NULL;
    int shipped = 0;

    /* Meshes that are shipped with nuce are identified by their name, since they do not change. */
    if (fact->identity == NULL && nuce_mesh_locate(name, &path, &shipped, error) == NUCE_OK) {
        if (shipped)
            fact->identity = nuce_text_duplicate(name);
        else
            file_identity(path, &fact->identity, error);
    }
    free(path);
    *out = fact->identity;
    return *out != NULL ? NUCE_OK : error->status;
}

const struct nuce_fact *nuce_facts_mesh(struct nuce_facts *facts, const char *name, int is_dual,
                                        struct nuce_error *error)
{
    struct nuce_fact *fact = facts_lookup(facts, name);
    int64_t *size = is_dual ? &fact->cells : &fact->size;
    struct nuce_mesh mesh = {0};
    char *path = NULL;
    int shipped = 0;

    if (*size >= 0)
        return fact;
    if (nuce_mesh_locate(name, &path, &shipped, error) == NUCE_OK &&
        nuce_mesh_read(path, is_dual ? NUCE_MESH_DUAL : NUCE_MESH_NODAL, &mesh, error) == NUCE_OK) {
        *size = mesh.nodes;
        fact->has_coordinates = mesh.coordinates != NULL;
        fact->note = shipped ? NULL : mesh.note;
    }
    nuce_mesh_fini(&mesh);
    free(path);
    return *size >= 0 ? fact : NULL;
}

nuce_status nuce_facts_network_identity(struct nuce_facts *facts, const char *name,
                                        const char **out, struct nuce_error *error)
{
    if (!nuce_network_is_preset(name) && !nuce_network_is_word(name))
        return nuce_facts_file_identity(facts, name, out, error);
    *out = name;
    return NUCE_OK;
}

const struct nuce_fact *nuce_facts_network(struct nuce_facts *facts, const char *name,
                                           struct nuce_error *error)
{
    struct nuce_fact *fact = facts_lookup(facts, name);
    struct nuce_network network = {0};

    if (fact->size >= 0)
        return fact;
    if (nuce_network_named(name, 0, &network, error) != NUCE_OK)
        return NULL;
    fact->size = network.is_any ? 0 : network.ranks;
    nuce_network_fini(&network);
    return fact;
}

const struct nuce_fact *nuce_facts_topology(struct nuce_facts *facts, const char *path,
                                            struct nuce_error *error)
{
    struct nuce_fact *fact = facts_lookup(facts, path);
    struct nuce_topology topology;
    int island;

    if (fact->size >= 0)
        return fact;
    if (nuce_topology_read(path, &topology, error) != NUCE_OK)
        return NULL;
    nuce_topology_largest(&topology, &island, &fact->joined);
    fact->size = topology.nodes;
    fact->note = topology.note;
    nuce_topology_fini(&topology);
    return fact;
}

const struct nuce_fact *nuce_facts_com(struct nuce_facts *facts, const char *path,
                                       struct nuce_error *error)
{
    struct nuce_fact *fact = facts_lookup(facts, path);
    struct nuce_pattern pattern = {0};

    if (fact->size >= 0)
        return fact;
    if (nuce_pattern_read(path, 0, &pattern, error) != NUCE_OK)
        return NULL;
    fact->size = pattern.ranks;
    nuce_pattern_fini(&pattern);
    return fact;
}

/* An entry for each pattern, by path and call, separated by a control character, which no path
 * has. */
const struct nuce_fact *nuce_facts_capture(struct nuce_facts *facts, const char *path,
                                           const char *call, struct nuce_error *error)
{
    char *name = nuce_text_format("%s\n%s", path, call);
    struct nuce_fact *fact = facts_lookup(facts, name);
    const struct nuce_capture_pattern *pattern;
    struct nuce_capture capture = {0};

    free(name);
    if (fact->size >= 0)
        return fact;
    if (nuce_capture_read(path, &capture, error) != NUCE_OK)
        return NULL;
    pattern = nuce_capture_find(&capture, call, error);
    if (pattern != NULL) {
        nuce_capture_count_hosts(&capture, pattern, &fact->nodes.nodes, &fact->nodes.most);
        fact->size = capture.communicator[pattern->communicator].size;
    }
    nuce_capture_fini(&capture);
    return pattern != NULL ? fact : NULL;
}

const char *nuce_facts_next_note(const struct nuce_facts *facts, int64_t *at, const char **note)
{
    while (*at < facts->count) {
        const struct nuce_fact *fact = &facts->facts[(*at)++];

        if (fact->note != NULL) {
            *note = fact->note;
            return fact->name;
        }
    }
    return NULL;
}

void nuce_facts_print_notes(const struct nuce_facts *facts, const char *program)
{
    const char *name, *note;
    int64_t at = 0;

    while ((name = nuce_facts_next_note(facts, &at, &note)) != NULL)
        fprintf(stderr, "%s: note: %s: %s\n", program, name, note);
}
