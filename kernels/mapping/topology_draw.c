/* Random networks of switches (Moh et al., section 5): nodes on random switches, a random recursive
 * tree, random extra links. There are no parallel links: a second link between two switches would
 * use ports without changing a distance.
 *
 * Steps: nodes, each on a switch that has a port to spare beyond the one for its link; a tree over
 * the switches in a random order; links between random pairs up to the required number.
 * Cost: about O(nodes + links x ports) per drawing, switches x ports ints of memory. The order of
 * the draws is part of the meaning of a seed. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "mapping/topology.h"

/* Nearly every drawing of a few dozen switches succeeds. A recipe that fails this often has no more
 * than a handful of networks, if any. */
#define DRAWINGS 200

/* A network during its drawing. */
struct drawing {
    int switches, ports;
    int *degree; /* switches: links so far */
    int *linked; /* switches x ports: the other ends */
    int *free;   /* switches: ports left */
    int *open;   /* the switches with a port left, in any order */
    int opens;
    int (*link)[2];
    int links;
};

/* The number of links between switches, rounded down. It is below 0 or above the possible number
 * for recipes that nuce_topology_check_recipe refuses. */
static int64_t links_of(const struct nuce_topology_recipe *recipe)
{
    double ports = (double)recipe->switches * recipe->ports;
    double connected = recipe->reading == NUCE_CONNECTIVITY_FREE
                           ? recipe->connectivity * (ports - recipe->nodes)
                           : recipe->connectivity * ports - recipe->nodes;

    /* A single switch has no links. 0.7 * 10 is a little less than 7. */
    return recipe->switches == 1 ? 0 : (int64_t)floor(connected / 2 + 1e-9);
}

nuce_status nuce_topology_check_recipe(const struct nuce_topology_recipe *recipe,
                                       struct nuce_error *error)
{
    int64_t links, n = recipe->switches, most;

    /* Checks each number by itself, then all of them together. */
    if (recipe->switches < 1 || recipe->switches > NUCE_TOPOLOGY_MAX_SWITCHES)
        return nuce_error_refuse(error, "switches", "'%d': expected 1 to %d", recipe->switches,
                                 NUCE_TOPOLOGY_MAX_SWITCHES);
    if (recipe->ports < 1 || recipe->ports > NUCE_TOPOLOGY_MAX_PORTS)
        return nuce_error_refuse(error, "ports", "'%d': expected 1 to %d", recipe->ports,
                                 NUCE_TOPOLOGY_MAX_PORTS);
    if (!(recipe->connectivity >= 0) || !(recipe->connectivity <= 1))
        return nuce_error_refuse(error, "connectivity", "'%g': expected 0 to 1",
                                 recipe->connectivity);
    most = (int64_t)recipe->switches * (recipe->ports - (recipe->switches > 1));
    links = links_of(recipe);
    if (most > NUCE_TOPOLOGY_MAX_NODES)
        most = NUCE_TOPOLOGY_MAX_NODES;
    if (recipe->nodes < 1 || recipe->nodes > most)
        return nuce_error_refuse(error, "nodes",
                                 "'%d': expected 1 to %lld: %d switches of %d ports, one of "
                                 "each for a link",
                                 recipe->nodes, (long long)most, recipe->switches, recipe->ports);
    if (links < n - 1)
        return nuce_error_refuse(error, "connectivity",
                                 "'%g': that is %lld links between %d switches: "
                                 "expected at least %lld, or the network is in parts",
                                 recipe->connectivity, (long long)(links < 0 ? 0 : links),
                                 recipe->switches, (long long)n - 1);
    if (links > n * (n - 1) / 2)
        return nuce_error_refuse(error, "connectivity",
                                 "'%g': that is %lld links between %d switches: "
                                 "expected at most %lld, one for each pair",
                                 recipe->connectivity, (long long)links, recipe->switches,
                                 (long long)(n * (n - 1) / 2));
    return NUCE_OK;
}

/* Puts each node on a random switch with a free port for it; nodes are numbered switch by
 * switch. */
static void draw_nodes(const struct nuce_topology_recipe *recipe, struct drawing *drawing,
                       int *home, struct nuce_rng *rng)
{
    int kept = recipe->switches > 1, node = 0;

    drawing->opens = recipe->switches;
    for (int s = 0; s < recipe->switches; s++) {
        drawing->open[s] = s;
        drawing->free[s] = recipe->ports;
        drawing->degree[s] = 0;
    }
    drawing->links = 0;
    for (int i = 0; i < recipe->nodes; i++) {
        int k = (int)nuce_rng_below(rng, (uint64_t)drawing->opens);
        int s = drawing->open[k];

        if (--drawing->free[s] == kept)
            drawing->open[k] = drawing->open[--drawing->opens];
    }
    for (int s = 0; s < recipe->switches; s++) {
        for (int k = drawing->free[s]; k < recipe->ports; k++)
            home[node++] = s;
    }
}

/* Both ends must have a port left, and no link between them. */
static void add_link(struct drawing *drawing, int a, int b)
{
    drawing->linked[a * drawing->ports + drawing->degree[a]++] = b;
    drawing->linked[b * drawing->ports + drawing->degree[b]++] = a;
    drawing->free[a]--;
    drawing->free[b]--;
    drawing->link[drawing->links][0] = a;
    drawing->link[drawing->links++][1] = b;
}

/* True if a link joins a and b already; O(ports). */
static int is_linked(const struct drawing *drawing, int a, int b)
{
    for (int k = 0; k < drawing->degree[a]; k++) {
        if (drawing->linked[a * drawing->ports + k] == b)
            return 1;
    }
    return 0;
}

/* Removes the switch at open[place] from open[0 .. *count - 1] if it has no free port; the last one
 * takes its place. */
static void close_at(struct drawing *drawing, int place, int *count)
{
    if (drawing->free[drawing->open[place]] == 0)
        drawing->open[place] = drawing->open[--*count];
}

/* Links the switches in a random order, each to a random earlier one with a free port. If a switch
 * would take the tree's last port while others wait, one with two ports goes first. There is one as
 * long as there are two ports for each link of the tree. */
static int draw_tree(struct drawing *drawing, int *order, struct nuce_rng *rng)
{
    int count = 1, ports;

    for (int s = 0; s < drawing->switches; s++)
        order[s] = s;
    nuce_rng_shuffle(rng, order, drawing->switches);
    drawing->open[0] = order[0];
    ports = drawing->free[order[0]];
    for (int i = 1; i < drawing->switches; i++) {
        int place;

        for (int k = i; ports == 1 && drawing->free[order[i]] == 1 && k < drawing->switches; k++) {
            if (drawing->free[order[k]] > 1) {
                int kept = order[i];

                order[i] = order[k];
                order[k] = kept;
            }
        }
        if (count == 0)
            return 0;
        place = (int)nuce_rng_below(rng, (uint64_t)count);
        ports += drawing->free[order[i]] - 2;
        add_link(drawing, drawing->open[place], order[i]);
        close_at(drawing, place, &count);
        drawing->open[count++] = order[i];
        close_at(drawing, count - 1, &count);
    }
    drawing->opens = count;
    return 1;
}

/* True if two switches with free ports can still be linked. Called only after many misses, because
 * it checks all pairs. */
static int has_room(const struct drawing *drawing)
{
    for (int i = 0; i < drawing->opens; i++) {
        for (int k = i + 1; k < drawing->opens; k++) {
            if (!is_linked(drawing, drawing->open[i], drawing->open[k]))
                return 1;
        }
    }
    return 0;
}

/* Draws links between random pairs of the switches with a free port; 0: no pair is left. */
static int draw_links(struct drawing *drawing, int64_t links, struct nuce_rng *rng)
{
    int misses = 0;

    while (drawing->links < links) {
        int i, k, a, b;

        if (drawing->opens < 2 || (misses > 100 && !has_room(drawing)))
            return 0;
        i = (int)nuce_rng_below(rng, (uint64_t)drawing->opens);
        k = (int)nuce_rng_below(rng, (uint64_t)drawing->opens);
        a = drawing->open[i];
        b = drawing->open[k];
        if (i == k || is_linked(drawing, a, b)) {
            misses++;
            continue;
        }
        misses = 0;
        add_link(drawing, a, b);
        /* The later place first: closing it does not move the switch at the other. */
        close_at(drawing, i > k ? i : k, &drawing->opens);
        close_at(drawing, i > k ? k : i, &drawing->opens);
    }
    return 1;
}

/* A drawing that gets stuck (its last free ports are all on linked switches) starts again. */
nuce_status nuce_topology_draw(const struct nuce_topology_recipe *recipe, struct nuce_rng *rng,
                               struct nuce_topology *out, struct nuce_error *error)
{
    int64_t links;
    struct drawing drawing;
    int *home, *order;
    int is_drawn = 0;

    if (nuce_topology_check_recipe(recipe, error) != NUCE_OK)
        return error->status;
    links = links_of(recipe);
    /* Room for the most links that recipe can have. */
    drawing = (struct drawing){.switches = recipe->switches, .ports = recipe->ports};
    drawing.degree = nuce_allocate(4 * (int64_t)recipe->switches, sizeof *drawing.degree);
    drawing.free = drawing.degree + recipe->switches;
    drawing.open = drawing.free + recipe->switches;
    order = drawing.open + recipe->switches;
    drawing.linked =
        nuce_allocate((int64_t)recipe->switches * recipe->ports, sizeof *drawing.linked);
    drawing.link = nuce_allocate(links, sizeof *drawing.link);
    home = nuce_allocate(recipe->nodes, sizeof *home);
    for (int i = 0; !is_drawn && i < DRAWINGS; i++) {
        draw_nodes(recipe, &drawing, home, rng);
        is_drawn = draw_tree(&drawing, order, rng) && draw_links(&drawing, links, rng);
    }
    if (is_drawn)
        nuce_topology_init(recipe->switches, (const int(*)[2])drawing.link, drawing.links, home,
                           recipe->nodes, out);
    else
        nuce_error_refuse(error, "connectivity",
                          "'%g': none of %d drawings had room for %lld links "
                          "between different pairs of %d switches",
                          recipe->connectivity, DRAWINGS, (long long)links, recipe->switches);
    free(home);
    free(drawing.degree);
    free(drawing.linked);
    free(drawing.link);
    return is_drawn ? NUCE_OK : error->status;
}
