/* What has been read of a topology file, whatever its format: each switch, link and node is entered
 * once, with its place in the text, so that what is wrong with it can be shown there.
 *
 * An entry is a name's number (names.h) and a place in the text, a pointer into what the scanner
 * reads: the text has to live as long. Which links are double and which switches apart is only
 * known when all is read (topology_read.c). */
#include "mapping/topology_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/rng.h"
#include "base/text.h"
#include "mapping/topology.h"

void nuce_topology_file_fini(struct nuce_topology_file *file)
{
    nuce_names_fini(&file->switches);
    nuce_names_fini(&file->nodes);
    free(file->place);
    free(file->home);
    free(file->link);
    free(file->link_place);
}

/* A switch may be named before it is described, so a name that is there already is no error. */
nuce_status nuce_topology_file_switch(struct nuce_topology_file *file, struct nuce_word word,
                                      int *number, struct nuce_error *error)
{
    int before = file->switches.count;

    nuce_names_add(&file->switches, word.text, word.length, number);
    if (*number < before)
        return NUCE_OK;
    if (before == NUCE_TOPOLOGY_MAX_SWITCHES)
        return nuce_scanner_fail(&file->scanner, word.text, error,
                                 "'%.*s': expected at most %d switches", nuce_word_quoted(word),
                                 word.text, NUCE_TOPOLOGY_MAX_SWITCHES);
    nuce_allocate_more((void **)&file->place, &file->places, before + 1, sizeof *file->place);
    file->place[before] = word.text;
    return NUCE_OK;
}

/* Kept with the lower number first, so that A B and B A are found to be one link. */
nuce_status nuce_topology_file_link(struct nuce_topology_file *file, int a, int b,
                                    const char *place, struct nuce_error *error)
{
    if (a == b)
        return nuce_scanner_fail(&file->scanner, place, error,
                                 "a link from switch '%.40s' to itself: expected another switch",
                                 file->switches.name[a]);
    nuce_allocate_more((void **)&file->link, &file->link_capacity, file->links + 1,
                       sizeof *file->link);
    nuce_allocate_more((void **)&file->link_place, &file->link_places, file->links + 1,
                       sizeof *file->link_place);
    file->link[file->links][0] = a < b ? a : b;
    file->link[file->links][1] = a < b ? b : a;
    file->link_place[file->links++] = place;
    return NUCE_OK;
}

/* A node hangs on one switch: a second line of it is an error, unlike one of a switch. */
nuce_status nuce_topology_file_node(struct nuce_topology_file *file, const char *name, int length,
                                    int home, const char *place, struct nuce_error *error)
{
    int before = file->nodes.count, shown = length < 40 ? length : 40, number;

    nuce_names_add(&file->nodes, name, length, &number);
    if (number < before)
        return nuce_scanner_fail(&file->scanner, place, error,
                                 "node '%.*s' a second time: expected each once, and it is on "
                                 "switch '%.40s'",
                                 shown, name, file->switches.name[file->home[number]]);
    if (before == NUCE_TOPOLOGY_MAX_NODES)
        return nuce_scanner_fail(&file->scanner, place, error,
                                 "node '%.*s': expected at most %d nodes", shown, name,
                                 NUCE_TOPOLOGY_MAX_NODES);
    nuce_allocate_more((void **)&file->home, &file->homes, before + 1, sizeof *file->home);
    file->home[before] = home;
    return NUCE_OK;
}

/* Names and their numbers: an array of owned strings, and a hash table of numbers over it.
 *
 * Numbers stay what they are as names are added; the strings stay where they are, the arrays move
 * as they grow. Looking up and adding take O(length of the name), growing included. */

void nuce_names_fini(struct nuce_names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    free(names->slot);
    memset(names, 0, sizeof *names);
}

/* A byte at a time through the generator's mixer, so that names like n1 .. n9999 spread. */
static uint64_t names_hash(const char *text, int length)
{
    uint64_t value = (uint64_t)length;

    for (int i = 0; i < length; i++)
        value = nuce_rng_mix(value ^ (unsigned char)text[i]);
    return value;
}

/* Whether name, which ends in 0, is the length bytes at text, which do not. */
static int names_is_name(const char *name, const char *text, int length)
{
    return strncmp(name, text, (size_t)length) == 0 && name[length] == '\0';
}

/* The slot that holds the name, or the free one where it belongs. */
static int64_t names_find_slot(const struct nuce_names *names, const char *text, int length)
{
    int64_t place = (int64_t)(names_hash(text, length) & (uint64_t)(names->slots - 1));

    while (names->slot[place] != 0 &&
           !names_is_name(names->name[names->slot[place] - 1], text, length))
        place = (place + 1) & (names->slots - 1);
    return place;
}

int nuce_names_find(const struct nuce_names *names, const char *text, int length)
{
    return names->slots == 0 ? -1 : names->slot[names_find_slot(names, text, length)] - 1;
}

/* Twice the slots, or the first ones; at most half are in use. A power of 2, so that a hash becomes
 * a slot by its low bits. */
static void names_grow(struct nuce_names *names)
{
    int *old = names->slot;
    int64_t slots = names->slots == 0 ? 64 : 2 * names->slots;
    int *slot = nuce_allocate(slots, sizeof *slot);

    names->slot = slot;
    names->slots = slots;
    for (int i = 0; i < names->count; i++)
        slot[names_find_slot(names, names->name[i], nuce_int((int64_t)strlen(names->name[i])))] =
            i + 1;
    free(old);
}

/* Room is made before anything is entered: a failure leaves the names as they were. */
void nuce_names_add(struct nuce_names *names, const char *text, int length, int *number)
{
    char *copy;

    if (2 * ((int64_t)names->count + 1) > names->slots)
        names_grow(names);
    *number = names->slot[names_find_slot(names, text, length)] - 1;
    if (*number >= 0)
        return;
    nuce_allocate_more((void **)&names->name, &names->capacity, names->count + 1,
                       sizeof *names->name);
    copy = nuce_text_format("%.*s", (int)length, text);
    names->slot[names_find_slot(names, copy, length)] = names->count + 1;
    names->name[names->count] = copy;
    *number = names->count++;
}

/* Nodes of a topology by the names of hosts. A launcher may call a host by its short name where the
 * topology has the whole, or the other way round. */

/* The length of the whole name, and of its part before the first dot: what the index is asked
 * for. */
static int hosts_whole(const char *name)
{
    return nuce_int((int64_t)strlen(name));
}

static int until_dot(const char *name)
{
    return nuce_int((int64_t)strcspn(name, "."));
}

/* The names of nodes, whole and up to the first dot. */
struct index {
    struct nuce_names whole, shortened;
    int *node; /* of each of shortened: the first of that name */
};

/* Of nodes that share a short name the first one keeps it. */
static void index_init(const struct nuce_topology *topology, struct index *index)
{
    *index = (struct index){.node = nuce_allocate(topology->nodes, sizeof *index->node)};
    for (int node = 0; node < topology->nodes; node++) {
        const char *name = topology->node_name[node];
        int number, known = index->shortened.count;

        nuce_names_add(&index->whole, name, hosts_whole(name), &number);
        nuce_names_add(&index->shortened, name, until_dot(name), &number);
        if (number == known)
            index->node[number] = node;
    }
}

/* The node of host: by its whole name; by its short name, where the topology has that; or by the
 * short name of a node, where host itself is short. -1: there is none. */
static int hosts_find(const struct index *index, const char *host)
{
    int node = nuce_names_find(&index->whole, host, hosts_whole(host));

    if (node < 0)
        node = nuce_names_find(&index->whole, host, until_dot(host));
    if (node < 0 && strchr(host, '.') == NULL) {
        node = nuce_names_find(&index->shortened, host, hosts_whole(host));
        node = node < 0 ? -1 : index->node[node];
    }
    return node;
}

/* O(nodes + count): hosts are looked up by hashes, for there may be thousands of each. */
nuce_status nuce_topology_find_hosts(const struct nuce_topology *topology, const char *const *host,
                                     int count, int *node, struct nuce_error *error)
{
    struct index index;
    nuce_status status = NUCE_OK;

    index_init(topology, &index);

    for (int i = 0; status == NUCE_OK && i < count; i++) {
        node[i] = hosts_find(&index, host[i]);
        if (node[i] < 0)
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "no node '%.80s', on which rank %d runs: expected every host "
                                    "in the topology, which has %d nodes, the first '%.80s'",
                                    host[i], i, topology->nodes, topology->node_name[0]);
    }
    nuce_names_fini(&index.whole);
    nuce_names_fini(&index.shortened);
    free(index.node);
    return status;
}
