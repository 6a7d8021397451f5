/* Two batches of lines go round between the thread, which fills one, and the caller, who takes the
 * lines of the other: each has its batch to itself, and they meet once a batch. The fewer meetings
 * the better, since one costs as much as reading a line. Memory stays bounded: a batch ends after
 * some lines, or where their text is long.
 *
 * What reading a line allocates is freed when its batch is filled anew, by the thread that
 * allocated it, as malloc likes it best. Reading a line takes about a third of the time that its
 * rows take, so one thread is enough. */
#include "db/collect_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

enum {
    BATCH_LINES = 64,
    BATCH_BYTES = 256 * 1024, /* of text; the line that exceeds it is the batch's last */
    BATCHES = 2,
    LEAST_BYTES = 64 * 1024, /* of a file; for fewer lines a thread costs more than it saves */
};

struct batch {
    struct nuce_collect_line lines[BATCH_LINES];
    int count; /* 0: the file has ended */
};

struct nuce_collect_lines {
    /* The text that no batch has yet, and how many lines there were before it. Whoever fills
     * batches, the thread or the caller, has them to itself. */
    const char *at, *end;
    int64_t number;
    struct batch batches[BATCHES];
    int is_ahead; /* there is a thread */
    pthread_t thread;
    /* The caller's: its batch, NULL before the first, and how many lines of it have been taken. */
    struct batch *batch;
    int taken;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    int64_t filled; /* how many batches have been, batch i in i % BATCHES */
    int64_t given;  /* how many of them the caller has been given; the last one it still has */
    int is_stopped; /* the caller wants no more */
};

/* Cuts the next line off what is left of the text. */
static void cut_line(struct nuce_collect_lines *lines, struct nuce_collect_line *out)
{
    const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    const char *end = newline == NULL ? lines->end : newline;

    nuce_collect_line_fini(out);
    out->number = ++lines->number;
    out->text = lines->at;
    out->length = (size_t)(end - lines->at);
    out->is_torn = newline == NULL;
    out->status = NUCE_OK;
    out->column = 1;
    out->is_damaged = out->is_read = 0;
    lines->at = newline == NULL ? end : end + 1;
}

/* Fills the batch with the next lines. A torn line has a place in it but is not hashed: half a
 * record is none that could be known again. */
static void fill_batch(struct nuce_collect_lines *lines, struct batch *batch)
{
    const char *first = lines->at;

    batch->count = 0;
    while (batch->count < BATCH_LINES && lines->at < lines->end &&
           lines->at - first < BATCH_BYTES) {
        struct nuce_collect_line *line = &batch->lines[batch->count++];

        cut_line(lines, line);
        if (line->is_torn)
            continue;
        nuce_collect_line_hash(line);
        if (lines->is_ahead)
            nuce_collect_line_read(line);
    }
}

/* Waits until a batch is free that the caller does not have; 0: no more are wanted. The caller has
 * the batch that it was given last, so the thread may be one ahead and no more. */
static int wait_for_room(struct nuce_collect_lines *lines)
{
    int is_wanted;

    (void)pthread_mutex_lock(&lines->lock);
    while (!lines->is_stopped && lines->filled - lines->given >= BATCHES - 1)
        (void)pthread_cond_wait(&lines->changed, &lines->lock);
    is_wanted = !lines->is_stopped;
    (void)pthread_mutex_unlock(&lines->lock);
    return is_wanted;
}

/* The thread. The empty batch that ends the file is given as any other. */
static void *read_ahead(void *argument)
{
    struct nuce_collect_lines *lines = argument;
    int64_t filled = 0;
    int is_more = 1;

    while (is_more && wait_for_room(lines)) {
        struct batch *batch = &lines->batches[filled % BATCHES];

        fill_batch(lines, batch);
        is_more = batch->count > 0;
        (void)pthread_mutex_lock(&lines->lock);
        lines->filled = ++filled;
        (void)pthread_cond_signal(&lines->changed);
        (void)pthread_mutex_unlock(&lines->lock);
    }
    return NULL;
}

/* Gives the caller's batch back and takes the next one from the thread. */
static void swap_batches(struct nuce_collect_lines *lines)
{
    (void)pthread_mutex_lock(&lines->lock);
    while (lines->filled == lines->given)
        (void)pthread_cond_wait(&lines->changed, &lines->lock);
    lines->batch = &lines->batches[lines->given++ % BATCHES];
    (void)pthread_cond_signal(&lines->changed);
    (void)pthread_mutex_unlock(&lines->lock);
}

/* Without the thread, which may be refused, all works as well, only later. Signals are the
 * caller's. */
static void begin_thread(struct nuce_collect_lines *lines)
{
    sigset_t all, before;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    /* Before the thread begins, as it looks at it. */
    lines->is_ahead = 1;
    if (pthread_create(&lines->thread, NULL, read_ahead, lines) != 0)
        lines->is_ahead = 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct nuce_collect_lines *nuce_collect_lines_create(const char *text, size_t length, int is_ahead,
                                                     struct nuce_error *error)
{
    struct nuce_collect_lines *lines = nuce_allocate(1, sizeof *lines, error);

    if (lines == NULL)
        return NULL;
    lines->at = text;
    lines->end = text + length;
    (void)pthread_mutex_init(&lines->lock, NULL);
    (void)pthread_cond_init(&lines->changed, NULL);
    if (is_ahead && length >= LEAST_BYTES)
        begin_thread(lines);
    return lines;
}

struct nuce_collect_line *nuce_collect_lines_next(struct nuce_collect_lines *lines)
{
    if (lines->batch != NULL && lines->batch->count == 0)
        return NULL;
    if (lines->batch == NULL || lines->taken == lines->batch->count) {
        if (lines->is_ahead) {
            swap_batches(lines);
        } else {
            lines->batch = &lines->batches[0];
            fill_batch(lines, lines->batch);
        }
        lines->taken = 0;
    }
    return lines->batch->count == 0 ? NULL : &lines->batch->lines[lines->taken++];
}

/* The thread may be waiting for room; it is woken, sees that no more is wanted, and ends. One that
 * is filling a batch does that to its end first. */
static void end_thread(struct nuce_collect_lines *lines)
{
    (void)pthread_mutex_lock(&lines->lock);
    lines->is_stopped = 1;
    (void)pthread_cond_signal(&lines->changed);
    (void)pthread_mutex_unlock(&lines->lock);
    (void)pthread_join(lines->thread, NULL);
}

void nuce_collect_lines_destroy(struct nuce_collect_lines *lines)
{
    if (lines == NULL)
        return;
    if (lines->is_ahead)
        end_thread(lines);
    for (int i = 0; i < BATCHES; i++) {
        for (int k = 0; k < BATCH_LINES; k++)
            nuce_collect_line_fini(&lines->batches[i].lines[k]);
    }
    (void)pthread_cond_destroy(&lines->changed);
    (void)pthread_mutex_destroy(&lines->lock);
    free(lines);
}
