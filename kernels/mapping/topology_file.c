/* The content of a topology file of any format during its reading. Each switch, link and node is
 * entered once, with its place in the text, for error messages.
 *
 * An entry is a name's number and a place in the text, a pointer into the scanner's text, which has
 * to live as long. Double links and separate switches are known only at the end
 * (topology_read.c). */
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

/* A switch may be named before it is described, so a known name is not an error. */
nuce_status nuce_topology_file_switch(struct nuce_topology_file *file, struct nuce_word word,
                                      int *number, struct nuce_error *error)
{
    int before = file->switches.count;

    *number = nuce_names_add(&file->switches, word.text, word.length);
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

/* The lower number comes first, so that A B and B A are one link. */
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

/* A node is on one switch: a second line for it is an error, unlike one for a switch. */
nuce_status nuce_topology_file_node(struct nuce_topology_file *file, const char *name, int length,
                                    int home, const char *place, struct nuce_error *error)
{
    int before = file->nodes.count, shown = length < 40 ? length : 40;
    int number = nuce_names_add(&file->nodes, name, length);

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
 * Added names do not change the numbers. The strings stay in place; the arrays move as they grow.
 * Looking up and adding take O(length of the name), including growth. */

void nuce_names_fini(struct nuce_names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    free(names->slot);
    memset(names, 0, sizeof *names);
}

/* The slot of the name, or the free one to put it into. Names of the table end in 0; the searched
 * one does not. Each byte is hashed through the generator's mixer, so that names like n1 .. n9999
 * spread. */
static int64_t names_find_slot(const struct nuce_names *names, const char *text, int length)
{
    uint64_t hash = (uint64_t)length;
    int64_t place;

    for (int i = 0; i < length; i++)
        hash = nuce_rng_mix(hash ^ (unsigned char)text[i]);
    place = (int64_t)(hash & (uint64_t)(names->slots - 1));
    for (; names->slot[place] != 0; place = (place + 1) & (names->slots - 1)) {
        const char *name = names->name[names->slot[place] - 1];

        if (strncmp(name, text, (size_t)length) == 0 && name[length] == '\0')
            break;
    }
    return place;
}

int nuce_names_find(const struct nuce_names *names, const char *text, int length)
{
    return names->slots == 0 ? -1 : names->slot[names_find_slot(names, text, length)] - 1;
}

/* At most half of the slots are used. Their number is a power of 2, so that a hash becomes a slot
 * by its low bits. */
int nuce_names_add(struct nuce_names *names, const char *text, int length)
{
    int number;

    if (2 * ((int64_t)names->count + 1) > names->slots) {
        free(names->slot);
        names->slots = names->slots == 0 ? 64 : 2 * names->slots;
        names->slot = nuce_allocate(names->slots, sizeof *names->slot);
        for (int i = 0; i < names->count; i++) {
            const char *name = names->name[i];

            names->slot[names_find_slot(names, name, nuce_int((int64_t)strlen(name)))] = i + 1;
        }
    }
    number = nuce_names_find(names, text, length);
    if (number >= 0)
        return number;
    nuce_allocate_more((void **)&names->name, &names->capacity, names->count + 1,
                       sizeof *names->name);
    names->slot[names_find_slot(names, text, length)] = names->count + 1;
    names->name[names->count] = nuce_text_format("%.*s", length, text);
    return names->count++;
}

/* Finds nodes of a topology by the names of hosts. A launcher may use a host's short name and the
 * topology the full one, or the reverse. So a host is searched by its full name; by its short name;
 * or, if host itself is short, by the short name of a node, of several the first one. O(nodes +
 * count), by hashes, because there may be thousands of each. */
nuce_status nuce_topology_find_hosts(const struct nuce_topology *topology, const char *const *host,
                                     int count, int *node, struct nuce_error *error)
{
    struct nuce_names whole = {0}, shortened = {0};
    int *first = nuce_allocate(topology->nodes, sizeof *first); /* node of each short name */
    nuce_status status = NUCE_OK;

    for (int i = 0; i < topology->nodes; i++) {
        const char *name = topology->node_name[i];
        int known = shortened.count;

        nuce_names_add(&whole, name, nuce_int((int64_t)strlen(name)));
        if (nuce_names_add(&shortened, name, nuce_int((int64_t)strcspn(name, "."))) == known)
            first[known] = i;
    }
    for (int i = 0; status == NUCE_OK && i < count; i++) {
        int length = nuce_int((int64_t)strlen(host[i])), until_dot;

        until_dot = nuce_int((int64_t)strcspn(host[i], "."));
        node[i] = nuce_names_find(&whole, host[i], length);
        if (node[i] < 0)
            node[i] = nuce_names_find(&whole, host[i], until_dot);
        if (node[i] < 0 && until_dot == length) {
            int number = nuce_names_find(&shortened, host[i], length);

            node[i] = number < 0 ? -1 : first[number];
        }
        if (node[i] < 0)
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "no node '%.80s', on which rank %d runs: expected every host "
                                    "in the topology, which has %d nodes, the first '%.80s'",
                                    host[i], i, topology->nodes, topology->node_name[0]);
    }
    nuce_names_fini(&whole);
    nuce_names_fini(&shortened);
    free(first);
    return status;
}
