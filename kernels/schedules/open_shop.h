/* The common part of list schedules: the remaining messages, the idle ports, and the pair of idle
 * ports whose message goes first. If a sender and a receiver do one message at a time, that is an
 * open shop of machines and jobs (Gonzalez and Sahni, "Open shop scheduling to minimize finish
 * time", J. ACM 23, 1976). */
#ifndef NUCE_OPEN_SHOP_H
#define NUCE_OPEN_SHOP_H

#include "schedules/queues.h"
#include "schedules/schedule.h"

enum nuce_shop_order {
    NUCE_SHOP_LONGEST, /* the longest message first */
    NUCE_SHOP_LOAD,    /* the pair with the largest load: the sum of its sender's remaining sends
                          and its receiver's remaining receives; of equal ones the longer message */
};

/* Port i < ranks is the sending side of rank i, port ranks + i its receiving side. load and longest
 * are times in the shop's unit. */
struct nuce_shop_port {
    double load;    /* cost of all its remaining messages */
    double longest; /* upper limit of the cost of its messages */
    int64_t first;  /* its messages are list[first .. first + count - 1]; */
    int count;      /* some of them may be done */
    int left;       /* the number of those that are not done */
    int idle;
    int fresh;        /* it is in the list of fresh ports below */
    int64_t proposed; /* its best message at its last proposal */
};

/* An idle port. */
struct nuce_shop_idle {
    double load; /* the port's load, copied here for the searches */
    int port;
};

/* The data of a message for look-ups, in one place: with many messages it is in no cache. */
struct nuce_shop_message {
    double cost; /* of its rest; a rank's message to itself is done */
    int source, destination;
};

/* Time is in units of `per_second` to the second. On a network of equal pairs without startups the
 * unit is the time of one byte, so that sums of times are exact. pattern and network are borrowed
 * until nuce_shop_fini; the arrays are owned. */
struct nuce_shop {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network;
    enum nuce_shop_order order;
    double per_second;
    struct nuce_shop_message *messages;
    unsigned char *done;          /* messages */
    int64_t *list;                /* 2 messages */
    struct nuce_shop_port *ports; /* 2 ranks */
    int *fresh;                   /* ports that have become idle since the last call of
                                     nuce_shop_next */
    int fresh_count;
    struct nuce_heap proposals;
    /* Dense patterns only: the pairs not done, and the idle ports of both sides by load, the
     * largest first. */
    int dense;
    struct nuce_pair_set pairs;
    struct nuce_shop_idle *idle[2];
    int idle_count[2];
};

/* All ports are busy, and no message is done. Freed with nuce_shop_fini. */
void nuce_shop_init(const struct nuce_schedule_input *input, enum nuce_shop_order order,
                    struct nuce_shop *out);
void nuce_shop_fini(struct nuce_shop *shop);

/* The cost of bytes of message k in one piece, and the number of its whole bytes that are through
 * after a time. */
double nuce_shop_cost(const struct nuce_shop *shop, int64_t k, int64_t bytes);
double nuce_shop_bytes(const struct nuce_shop *shop, int64_t k, double time);

/* The ports of message k. */
static inline int nuce_shop_sender(const struct nuce_shop *shop, int64_t k)
{
    return shop->messages[k].source;
}

static inline int nuce_shop_receiver(const struct nuce_shop *shop, int64_t k)
{
    return shop->pattern->ranks + shop->messages[k].destination;
}

/* The other port of message k, one of port's messages. */
static inline int nuce_shop_peer(const struct nuce_shop *shop, int port, int64_t k)
{
    return port < shop->pattern->ranks ? nuce_shop_receiver(shop, k) : nuce_shop_sender(shop, k);
}

/* Makes the port, which was busy, idle if it has messages left. Its load does not change while it
 * is idle. */
void nuce_shop_release(struct nuce_shop *shop, int port);

/* Makes the idle port busy. */
void nuce_shop_occupy(struct nuce_shop *shop, int port);

/* Marks message k, whose ports are busy, as done. The caller adjusts their loads. */
void nuce_shop_finish(struct nuce_shop *shop, int64_t k);

/* Returns the first message of all those between idle ports, which become busy; -1 if there is
 * none. Expected O(n / (messages left at the port)) on a dense pattern, else O(messages left at the
 * port). */
int64_t nuce_shop_next(struct nuce_shop *shop);

#endif
