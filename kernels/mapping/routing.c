/* The common part of all routings: the spanning tree of the switches, distances if every link may
 * be used, and the path between two switches. Breadth-first searches run from 64 switches at once,
 * a bit for each, which makes all pairs O(links x switches x diameter / 64).
 * Memory: two bytes per pair of switches, and the three lists of the tree. A path is computed on
 * request, O(links) each, since most pairs are never requested. */
#include "mapping/routing.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

#define NUCE_REGISTRY routing
#define NUCE_REGISTRY_ROWS "mapping/routings.def"
#define NUCE_REGISTRY_FIND
#include "base/registry.inc"

/* Accepts a zeroed routing. */
void nuce_routing_fini(struct nuce_routing *routing)
{
    free(routing->level);
    free(routing->parent);
    free(routing->order);
    free(routing->distance);
    memset(routing, 0, sizeof *routing);
}

/* Breadth first from 64 switches at once, first .. first + 63, before their first step. Bit k of
 * seen[s] is set if the search from switch first + k has reached s. */
static void front_start(uint64_t *seen, int switches, int first)
{
    memset(seen, 0, (size_t)switches * sizeof *seen);
    for (int k = 0; k < 64 && first + k < switches; k++)
        seen[first + k] = UINT64_C(1) << k;
}

/* One link further. Returns the bits of the starts that reached a switch for the first time.
 * met[s], which follows seen, gets those that reached s. */
static uint64_t front_step(uint64_t *seen, const struct nuce_topology *topology)
{
    uint64_t any = 0, *met = seen + topology->switches;

    for (int s = 0; s < topology->switches; s++) {
        uint64_t reached = 0; /* not met[s], which could be in seen for all the compiler knows */

        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++)
            reached |= seen[topology->neighbor[k]];
        met[s] = reached & ~seen[s];
        any |= met[s];
    }
    for (int s = 0; s < topology->switches; s++)
        seen[s] |= met[s];
    return any;
}

/* Finds the switch of the least height (the largest distance from it to any other), then of the
 * lowest number. A search that no longer grows has found its height. Searches that reach the best
 * height are abandoned. */
static void find_root(struct nuce_routing *routing)
{
    int switches = routing->topology->switches;
    uint64_t *seen = nuce_allocate(2 * (int64_t)switches, sizeof *seen);

    routing->height = switches;
    for (int first = 0; first < switches; first += 64) {
        uint64_t growing = ~UINT64_C(0) >> (switches - first < 64 ? 64 - (switches - first) : 0);

        front_start(seen, switches, first);
        for (int height = 0; growing != 0 && height < routing->height; height++) {
            uint64_t grown = front_step(seen, routing->topology);

            if ((growing & ~grown) != 0) {
                routing->root = first + __builtin_ctzll(growing & ~grown);
                routing->height = height;
            }
            growing &= grown;
        }
    }
    free(seen);
}

/* Fills level, order and parent: levels breadth first; within a level by number, by a counting
 * sort; a parent is the lowest neighbour one level up. */
static void grow_tree(struct nuce_routing *routing)
{
    const struct nuce_topology *topology = routing->topology;
    int switches = topology->switches, count = 1;
    int *place = nuce_allocate((int64_t)switches + 1, sizeof *place);

    for (int s = 0; s < switches; s++)
        routing->level[s] = -1;
    routing->level[routing->root] = 0;
    routing->parent[routing->root] = -1;
    routing->order[0] = routing->root;
    for (int i = 0; i < count; i++) {
        int s = routing->order[i];

        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            if (routing->level[topology->neighbor[k]] >= 0)
                continue;
            routing->level[topology->neighbor[k]] = routing->level[s] + 1;
            routing->order[count++] = topology->neighbor[k];
        }
    }
    for (int s = 0; s < switches; s++)
        place[routing->level[s] + 1]++;
    for (int level = 1; level < switches; level++)
        place[level] += place[level - 1];
    for (int s = 0; s < switches; s++) {
        routing->order[place[routing->level[s]]++] = s;
        for (int64_t k = topology->start[s]; s != routing->root; k++) {
            routing->parent[s] = topology->neighbor[k];
            if (routing->level[topology->neighbor[k]] == routing->level[s] - 1)
                break;
        }
    }
    free(place);
}

int nuce_routing_is_up(const struct nuce_routing *routing, int a, int b)
{
    int from = routing->level[a], to = routing->level[b];

    return to < from || (to == from && b < a);
}

/* 65535, no path, stays as it is: adding 1 would wrap around to 0. Written without a branch, so
 * that compilers can vectorise it. */
void nuce_routing_relax(uint16_t *row, const uint16_t *other, int count)
{
    for (int k = 0; k < count; k++) {
        uint16_t further = (uint16_t)(other[k] + (other[k] != UINT16_MAX));

        row[k] = further < row[k] ? further : row[k];
    }
}

/* 64 columns of the table per pass. Each entry is written once, in the step in which the search
 * first reaches the switch. */
void nuce_routing_measure_all(struct nuce_routing *routing)
{
    int switches = routing->topology->switches;
    uint64_t *seen = nuce_allocate(2 * (int64_t)switches, sizeof *seen);

    memset(routing->distance, 0, (size_t)switches * (size_t)switches * sizeof *routing->distance);
    for (int first = 0; first < switches; first += 64) {
        front_start(seen, switches, first);
        for (uint16_t hops = 1; front_step(seen, routing->topology) != 0; hops++) {
            for (int s = 0; s < switches; s++) {
                uint16_t *row = routing->distance + (int64_t)s * switches + first;

                for (uint64_t met = seen[switches + s]; met != 0; met &= met - 1)
                    row[__builtin_ctzll(met)] = hops;
            }
        }
    }
    free(seen);
}

/* The tree comes first: all routings use it, and some distances follow from it. */
void nuce_routing_create(const struct nuce_routing_ops *ops, const struct nuce_topology *topology,
                         struct nuce_routing *out)
{
    int64_t switches = topology->switches;

    *out = (struct nuce_routing){.ops = ops, .topology = topology};
    out->level = nuce_allocate(switches, sizeof *out->level);
    out->parent = nuce_allocate(switches, sizeof *out->parent);
    out->order = nuce_allocate(switches, sizeof *out->order);
    out->distance = nuce_allocate(switches * switches, sizeof *out->distance);
    find_root(out);
    grow_tree(out);
    ops->measure(out);
}

/* Breadth first backwards from b over states 2 x switch + (the message came down to it).
 * left[state] is the number of links from there to b, -1 if b cannot be reached. The state is
 * needed because updown forbids going up after down. */
static void count_left(const struct nuce_routing *routing, int b, int *left)
{
    const struct nuce_topology *topology = routing->topology;
    int *queue = nuce_allocate(2 * (int64_t)topology->switches, sizeof *queue);
    int count = 0;

    for (int i = 0; i < 2 * topology->switches; i++)
        left[i] = -1;
    for (int is_down = 0; is_down < 2; is_down++) {
        left[2 * b + is_down] = 0;
        queue[count++] = 2 * b + is_down;
    }
    for (int i = 0; i < count; i++) {
        int to = queue[i] / 2;

        for (int64_t k = topology->start[to]; k < topology->start[to + 1]; k++) {
            int from = topology->neighbor[k];
            int state = 2 * from;

            if (nuce_routing_is_up(routing, from, to) == queue[i] % 2)
                continue;
            for (int is_down = 0; is_down < 2; is_down++, state++) {
                if (left[state] >= 0 || !routing->ops->may_go(routing, from, to, is_down))
                    continue;
                left[state] = left[queue[i]] + 1;
                queue[count++] = state;
            }
        }
    }
    free(queue);
}

/* Downhill along left[], from a on, each time to the lowest neighbour that is a link nearer. */
void nuce_routing_way(const struct nuce_routing *routing, int a, int b, int *way, int *hops)
{
    const struct nuce_topology *topology = routing->topology;
    int *left = nuce_allocate(2 * (int64_t)topology->switches, sizeof *left);
    int at = a, is_down = 0, length = 0;

    count_left(routing, b, left);
    NUCE_ASSERT(left[2 * a] >= 0);
    way[0] = a;
    while (at != b) {
        int64_t k = topology->start[at];
        int next, turns;

        for (;; k++) {
            NUCE_ASSERT(k < topology->start[at + 1]);
            next = topology->neighbor[k];
            turns = !nuce_routing_is_up(routing, at, next);
            if (routing->ops->may_go(routing, at, next, is_down) &&
                left[2 * next + turns] == left[2 * at + is_down] - 1)
                break;
        }
        at = next;
        is_down = turns;
        way[++length] = at;
    }
    free(left);
    *hops = length;
}

/* Preorder of the spanning tree without recursion: sizes of the subtrees from the lowest level up,
 * then each switch's place from its parent's, from the root down. Switches that are close in the
 * walk are close in the tree; `curve` and bisections use that. */

void nuce_routing_walk(const struct nuce_routing *routing, int *place)
{
    int switches = routing->topology->switches;
    int *size = nuce_allocate(2 * (int64_t)switches, sizeof *size), *next = size + switches;

    /* By level: when the loop reaches a switch all switches below have been added to it. In the
     * next loop its parent already has its place. */
    for (int i = switches - 1; i >= 0; i--) {
        int s = routing->order[i];

        size[s]++;
        if (i > 0)
            size[routing->parent[s]] += size[s];
    }
    for (int i = 0; i < switches; i++) {
        int s = routing->order[i];

        place[s] = 0;
        if (i > 0) {
            place[s] = next[routing->parent[s]];
            next[routing->parent[s]] += size[s];
        }
        next[s] = place[s] + 1;
    }
    free(size);
}
