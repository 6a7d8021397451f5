/* What has been read of a topology file, whatever its format: each switch, link and node is entered
 * once, with its place in the text, so that what is wrong with it can be shown there.
 *
 * An entry is a name's number (names.h) and a place in the text, a pointer into what the scanner
 * reads: the text has to live as long. Which links are double and which switches apart is only
 * known when all is read (topology_read.c). */
#include "mapping/topology_file.h"

#include <stdlib.h>

#include "base/allocate.h"

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
