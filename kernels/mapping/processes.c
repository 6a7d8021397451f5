/* Process graphs that are meshes, and blocks of them. A mesh is stored as edges like any pattern,
 * so that costs and searches handle only one kind. Its sides are kept for functions that halve
 * blocks.
 *
 * A mesh of n processes takes O(n) time and 8 (n + 1) + 12 x 2 x edges bytes. */
#include "mapping/processes.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

void nuce_processes_fini(struct nuce_processes *processes)
{
    free(processes->start);
    free(processes->neighbor);
    free(processes->weight);
    free(processes->at);
    memset(processes, 0, sizeof *processes);
}

/* SIDE, SIDExSIDE or SIDExSIDExSIDE; a fourth side is refused, not dropped. */
nuce_status nuce_processes_read_sides(const char *text, int side[NUCE_SIDES],
                                      struct nuce_error *error)
{
    const char *at = text;
    int read[NUCE_SIDES] = {1, 1, 1};

    for (int k = 0; k < NUCE_SIDES; k++) {
        char *end;
        long value = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : 0;

        if (value < 1 || value > NUCE_PROCESSES_MAX || (*end != 'x' && *end != '\0'))
            break;
        read[k] = (int)value;
        if (*end == '\0') {
            memcpy(side, read, sizeof read);
            return NUCE_OK;
        }
        at = end + 1;
    }
    return nuce_error_refuse(error, "mesh",
                             "'%s': expected up to %d sides from 1 to %d, such as 16x16", text,
                             NUCE_SIDES, NUCE_PROCESSES_MAX);
}

int nuce_processes_at(const struct nuce_processes *processes, const int place[NUCE_SIDES])
{
    int k = (place[0] * processes->side[1] + place[1]) * processes->side[2] + place[2];

    return processes->at == NULL ? k : processes->at[k];
}

/* Row by row, the last side fastest. The product of the sides is checked in two steps, because that
 * of all three may exceed 64 bits. */
nuce_status nuce_processes_mesh(const int side[NUCE_SIDES], struct nuce_processes *out,
                                struct nuce_error *error)
{
    struct nuce_processes processes = {.side = {side[0], side[1], side[2]}};
    int64_t ranks = (int64_t)side[0] * side[1], edges = 0, count = 0;
    int place[NUCE_SIDES];

    if (ranks <= NUCE_PROCESSES_MAX)
        ranks *= side[2];
    if (ranks > NUCE_PROCESSES_MAX)
        return nuce_error_refuse(error, "mesh", "'%dx%dx%d': expected at most %d processes",
                                 side[0], side[1], side[2], NUCE_PROCESSES_MAX);
    for (int k = 0; k < NUCE_SIDES; k++)
        edges += ranks / side[k] * (side[k] - 1);
    processes.ranks = nuce_int(ranks);
    processes.start = nuce_allocate(ranks + 1, sizeof *processes.start);
    processes.neighbor = nuce_allocate(2 * edges, sizeof *processes.neighbor);
    processes.weight = nuce_allocate(2 * edges, sizeof *processes.weight);
    for (int i = 0; i < processes.ranks; i++) {
        place[0] = i / (side[1] * side[2]);
        place[1] = i / side[2] % side[1];
        place[2] = i % side[2];
        processes.start[i] = count;
        /* The neighbours ascending: first the smaller ones, along the first side first, then the
         * larger ones, along the last side first. */
        for (int n = 0; n < 2 * NUCE_SIDES; n++) {
            int k = n < NUCE_SIDES ? n : 2 * NUCE_SIDES - 1 - n, step = n < NUCE_SIDES ? -1 : 1;

            if (place[k] + step < 0 || place[k] + step >= side[k])
                continue;
            place[k] += step;
            processes.weight[count] = 1;
            processes.neighbor[count++] = nuce_processes_at(&processes, place);
            place[k] -= step;
        }
    }
    NUCE_ASSERT(count == 2 * edges);
    processes.start[ranks] = count;
    *out = processes;
    return NUCE_OK;
}

struct nuce_block nuce_processes_whole(const struct nuce_processes *processes)
{
    return (struct nuce_block){
        .size = {processes->side[0], processes->side[1], processes->side[2]}};
}

int nuce_block_volume(const struct nuce_block *block)
{
    return block->size[0] * block->size[1] * block->size[2];
}

/* Halves the longest side, so that halves stay as near to cubes as possible and have the fewest
 * edges to the others. */
void nuce_block_halve(const struct nuce_block *block, struct nuce_block half[2])
{
    int longest = 0, first;

    for (int k = 1; k < NUCE_SIDES; k++)
        longest = block->size[k] > block->size[longest] ? k : longest;
    first = (block->size[longest] + 1) / 2;
    half[0] = half[1] = *block;
    half[0].size[longest] = first;
    half[1].low[longest] += first;
    half[1].size[longest] -= first;
}

void nuce_block_ranks(const struct nuce_processes *processes, const struct nuce_block *block,
                      int *ranks)
{
    int place[NUCE_SIDES];

    for (int i = 0; i < block->size[0]; i++) {
        place[0] = block->low[0] + i;
        for (int k = 0; k < block->size[1]; k++) {
            place[1] = block->low[1] + k;
            for (int m = 0; m < block->size[2]; m++) {
                place[2] = block->low[2] + m;
                *ranks++ = nuce_processes_at(processes, place);
            }
        }
    }
}

/* Processes that exchange the messages of a pattern: their edges, and a line on which processes
 * that exchange are close. The line is made by halving. A breadth-first search begins at a process
 * that is far from another. The first half of the visited processes goes to one side, the rest to
 * the other; then each half is halved by itself. O((messages + ranks) log ranks). */

/* Scratch of the line. */
struct pattern_line {
    const struct nuce_processes *processes;
    int *at;      /* the line so far: a permutation of the processes */
    int *part_of; /* ranks: the first place of the process's part */
    int *queue;
    int *met; /* ranks: the last search that visited it */
    int searches;
};

/* Breadth-first search through the part at[first .. first + count - 1] from process `from`, into
 * queue. If it ends early, because the part is not connected, it continues from the first unvisited
 * process. */
static void processes_search(struct pattern_line *line, int first, int count, int from)
{
    const struct nuce_processes *processes = line->processes;
    int queued = 0, next = first;

    line->searches++;
    for (int i = 0; i < count; i++) {
        if (i == queued) {
            while (i > 0 && line->met[line->at[next]] == line->searches)
                next++;
            line->queue[queued++] = i > 0 ? line->at[next] : from;
            line->met[line->queue[i]] = line->searches;
        }
        for (int64_t k = processes->start[line->queue[i]]; k < processes->start[line->queue[i] + 1];
             k++) {
            int other = processes->neighbor[k];

            if (line->part_of[other] != first || line->met[other] == line->searches)
                continue;
            line->met[other] = line->searches;
            line->queue[queued++] = other;
        }
    }
}

/* Orders at[first .. first + count - 1] so that close processes are in one half, and in one half of
 * a half. */
static void processes_halve(struct pattern_line *line, int first, int count)
{
    int half = (count + 1) / 2;

    if (count < 3)
        return;
    /* The last visited process is far from the start of the search. */
    processes_search(line, first, count, line->at[first]);
    processes_search(line, first, count, line->queue[count - 1]);
    memcpy(line->at + first, line->queue, (size_t)count * sizeof *line->at);
    for (int i = half; i < count; i++)
        line->part_of[line->at[first + i]] = first + half;
    processes_halve(line, first, half);
    processes_halve(line, first + half, count - half);
}

nuce_status nuce_processes_pattern(const struct nuce_pattern *pattern, struct nuce_processes *out,
                                   struct nuce_error *error)
{
    struct nuce_processes processes = {.ranks = pattern->ranks, .side = {pattern->ranks, 1, 1}};
    struct pattern_line line = {.processes = &processes};
    struct nuce_pattern received;
    int64_t count = 0;

    if (pattern->ranks > NUCE_PROCESSES_MAX)
        return nuce_error_set(error, NUCE_BAD_INPUT, "a pattern of %d ranks: expected at most %d",
                              pattern->ranks, NUCE_PROCESSES_MAX);
    if (nuce_pattern_transpose(pattern, &received, error) != NUCE_OK)
        return error->status;
    processes.start = nuce_allocate((int64_t)pattern->ranks + 1, sizeof *processes.start);
    processes.neighbor = nuce_allocate(2 * pattern->messages, sizeof *processes.neighbor);
    processes.weight = nuce_allocate(2 * pattern->messages, sizeof *processes.weight);
    processes.at = nuce_allocate(pattern->ranks, sizeof *processes.at);
    for (int i = 0; i < pattern->ranks; i++) {
        int64_t a = pattern->row[i], b = received.row[i];

        /* The sends and receives of i, both rows ascending: one entry for each other process with
         * the bytes of both. */
        processes.start[i] = count;
        while (a < pattern->row[i + 1] || b < received.row[i + 1]) {
            int to = a < pattern->row[i + 1] ? pattern->destination[a] : pattern->ranks;
            int from = b < received.row[i + 1] ? received.destination[b] : pattern->ranks;
            int other = to < from ? to : from;
            double bytes = 0;

            if (to == other)
                bytes += (double)pattern->bytes[a++];
            if (from == other)
                bytes += (double)received.bytes[b++];
            if (other == i)
                continue;
            processes.neighbor[count] = other;
            processes.weight[count++] = bytes;
        }
    }
    processes.start[pattern->ranks] = count;
    line.at = processes.at;
    line.part_of = nuce_allocate(3 * (int64_t)pattern->ranks, sizeof *line.part_of);
    line.queue = line.part_of + pattern->ranks;
    line.met = line.queue + pattern->ranks;
    for (int i = 0; i < pattern->ranks; i++)
        line.at[i] = i;
    processes_halve(&line, 0, pattern->ranks);
    free(line.part_of);
    nuce_pattern_fini(&received);
    *out = processes;
    return NUCE_OK;
}

void nuce_processes_lay(struct nuce_processes *processes, const int side[NUCE_SIDES])
{
    NUCE_ASSERT((int64_t)side[0] * side[1] * side[2] == processes->ranks);
    free(processes->at);
    processes->at = NULL;
    memcpy(processes->side, side, sizeof processes->side);
}
