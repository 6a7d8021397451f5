/* Processes that exchange the messages of a pattern: their edges, and a line on which those that
 * talk to each other are close. The line is made by halving: breadth first from a process that is
 * far from another, the first half of what is met on one side, the rest on the other; then each
 * half by itself. O((messages + ranks) log ranks). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mapping/processes.h"

/* Appends row i to the edges: what i sends and what it gets, both rows ascending, one entry for
 * each other process with the bytes of both. */
static void merge_row(struct nuce_processes *processes, int i, const struct nuce_pattern *sent,
                      const struct nuce_pattern *received, int64_t *count)
{
    int64_t a = sent->row[i], b = received->row[i];

    while (a < sent->row[i + 1] || b < received->row[i + 1]) {
        int to = a < sent->row[i + 1] ? sent->destination[a] : processes->ranks;
        int from = b < received->row[i + 1] ? received->destination[b] : processes->ranks;
        int other = to < from ? to : from;
        double bytes = 0;

        if (to == other)
            bytes += (double)sent->bytes[a++];
        if (from == other)
            bytes += (double)received->bytes[b++];
        if (other == i)
            continue;
        processes->neighbor[*count] = other;
        processes->weight[(*count)++] = bytes;
    }
}

/* Scratch of the line. */
struct pattern_line {
    const struct nuce_processes *processes;
    int *at;      /* the line so far: a permutation of the processes */
    int *part_of; /* ranks: the first place of the part that the process is in */
    int *queue;
    int *met; /* ranks: the search that has met it last */
    int searches;
};

/* Breadth first through the part at[first .. first + count - 1] from process `from`, into queue.
 * Where that ends early, the part not being connected, it goes on from the first process not
 * met. */
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

/* Orders at[first .. first + count - 1] so that halves, and halves of halves, hold what is
 * close. */
static void processes_halve(struct pattern_line *line, int first, int count)
{
    int half = (count + 1) / 2;

    if (count < 3)
        return;
    /* The last that is met is far from where the search began. */
    processes_search(line, first, count, line->at[first]);
    processes_search(line, first, count, line->queue[count - 1]);
    memcpy(line->at + first, line->queue, (size_t)count * sizeof *line->at);
    for (int i = half; i < count; i++)
        line->part_of[line->at[first + i]] = first + half;
    processes_halve(line, first, half);
    processes_halve(line, first + half, count - half);
}

/* Fills processes->at. */
static void make_line(struct nuce_processes *processes)
{
    struct pattern_line line = {.processes = processes, .at = processes->at};

    line.part_of = nuce_allocate(processes->ranks, sizeof *line.part_of);
    line.queue = nuce_allocate(processes->ranks, sizeof *line.queue);
    line.met = nuce_allocate(processes->ranks, sizeof *line.met);
    for (int i = 0; i < processes->ranks; i++)
        line.at[i] = i;
    processes_halve(&line, 0, processes->ranks);
    free(line.part_of);
    free(line.queue);
    free(line.met);
}

nuce_status nuce_processes_pattern(const struct nuce_pattern *pattern, struct nuce_processes *out,
                                   struct nuce_error *error)
{
    struct nuce_processes processes = {.ranks = pattern->ranks, .side = {pattern->ranks, 1, 1}};
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
        processes.start[i] = count;
        merge_row(&processes, i, pattern, &received, &count);
    }
    processes.start[pattern->ranks] = count;
    make_line(&processes);
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
