/* What list schedules share: the messages that are left, the ports that are idle, and which pair of
 * idle ports has the message that goes first. A shop in which a sender and a receiver do one
 * message at a time is an open shop of machines and jobs (Gonzalez and Sahni, "Open shop scheduling
 * to minimize finish time", J. ACM 23, 1976). */
#ifndef NUCE_OPEN_SHOP_H
#define NUCE_OPEN_SHOP_H

#include "schedules/queues.h"
#include "schedules/schedule.h"

enum nuce_shop_order {
    NUCE_SHOP_LONGEST, /* the longest message first */
    NUCE_SHOP_LOAD,    /* the pair with the largest load: what its sender still has to send and its
                          receiver to receive; of equal ones the longer message */
};

/* Port i < ranks is the sending side of rank i, port ranks + i its receiving side. load and longest
 * are times in the shop's unit. */
struct nuce_shop_port {
    double load;    /* what all its messages that are left cost */
    double longest; /* no message of it costs more */
    int64_t first;  /* its messages are list[first .. first + count - 1]; */
    int count;      /* some of them may be done */
    int left;       /* those that are not */
    int idle;
    int fresh;        /* is among them, below */
    int64_t proposed; /* the best message that it had when it was last looked at */
};

/* An idle port. */
struct nuce_shop_idle {
    double load; /* that of the port: beside each other for the searches */
    int port;
};

/* What is looked up of a message, in one place: of many it is in no cache. */
struct nuce_shop_message {
    double cost; /* of what is left of it; a rank's message to itself is done */
    int source, destination;
};

/* Time is in units of `per_second` to the second: on a network of equal pairs without startups that
 * of one byte, so that sums of times are exact. pattern and network are borrowed until
 * nuce_shop_fini; the arrays are owned. */
struct nuce_shop {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network;
    enum nuce_shop_order order;
    double per_second;
    struct nuce_shop_message *messages;
    unsigned char *done;          /* messages */
    int64_t *list;                /* 2 messages */
    struct nuce_shop_port *ports; /* 2 ranks */
    int *fresh;                   /* ports that have become idle since the last look */
    int fresh_count;
    struct nuce_heap proposals;
    /* Dense patterns only: what is not done, and the idle ports of both sides by load, the largest
     * first. */
    int dense;
    struct nuce_pair_set pairs;
    struct nuce_shop_idle *idle[2];
    int idle_count[2];
};

/* All ports busy, all messages left. Freed with nuce_shop_fini. */
void nuce_shop_init(const struct nuce_schedule_input *input, enum nuce_shop_order order,
                    struct nuce_shop *out);
void nuce_shop_fini(struct nuce_shop *shop);

/* What bytes of message k cost in one piece, and how many whole bytes of it are through after a
 * time. */
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

/* The other port of message k of port. */
static inline int nuce_shop_peer(const struct nuce_shop *shop, int port, int64_t k)
{
    return port < shop->pattern->ranks ? nuce_shop_receiver(shop, k) : nuce_shop_sender(shop, k);
}

/* The port becomes idle, if it has messages left; it was busy. Its load does not change while it
 * is idle. */
void nuce_shop_release(struct nuce_shop *shop, int port);

/* The idle port becomes busy. */
void nuce_shop_occupy(struct nuce_shop *shop, int port);

/* Message k, of busy ports, is done; their loads are the caller's. */
void nuce_shop_finish(struct nuce_shop *shop, int64_t k);

/* The first message of all those between idle ports, which become busy; -1 if there is none.
 * Expected O(n / (messages left at the port)) where the pattern is dense, else O(messages left at
 * the port). */
int64_t nuce_shop_next(struct nuce_shop *shop);

#endif
