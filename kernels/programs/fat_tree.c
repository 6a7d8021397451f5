/* fat-tree: a current cluster: two levels of switches, full bandwidth everywhere.
 *
 * Up to 512 hosts, a leaf switch has 32 ports: 16 hosts and a cable to each of 16 switches
 * above. Beyond that it has 64 ports: 32 and 32. The switches above have a port for each leaf.
 * SimGrid chooses the upward path by the destination (D mod k). Two messages can therefore meet
 * on a cable although others are idle, as with static routing on a real cluster; the exchanges i
 * xor 2^k do not. Each pair of switches has one cable, because SimGrid 3.32 chooses among
 * parallel cables by the source on the downward path, which doubles the time of such exchanges.
 * Speeds: 200 Gb/s (HDR InfiniBand and its contemporaries), 25 GB/s; 250 ns a cable including
 * the device at its end. Hosts under different leaves, four cables apart, thus see 1 us, as MPI
 * ping-pongs do on such machines. The speeds were not measured on one machine. On a shared
 * cable, a message within a leaf gets twice the share of one between leaves, because of their
 * latencies. Source: SimGrid 3.32, Platform examples, fat tree, and the article named there. */
#include "programs/platform.h"

#define BANDWIDTH 25e9 /* bytes per second of a cable, each way */
#define LATENCY 250e-9 /* seconds of a cable */
#define MIN_RANKS 32
#define MOST_OF_32_PORTS 512
#define MAX_RANKS 2048

static nuce_status fat_tree_check(int ranks, struct nuce_error *error)
{
    if (ranks < MIN_RANKS || ranks > MAX_RANKS || (ranks & (ranks - 1)) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--ranks: '%d': a fat tree in two levels: "
                              "expected a power of two from %d to %d",
                              ranks, MIN_RANKS, MAX_RANKS);
    return NUCE_OK;
}

static void fat_tree_print(const struct nuce_platform_ops *ops,
                           const struct nuce_platform_input *input, FILE *stream)
{
    /* hosts of a leaf, and switches above it: each uses half of its ports */
    int down = input->ranks <= MOST_OF_32_PORTS ? 16 : 32;
    char topology[128];

    /* Levels; elements below a switch; switches above an element; cables to each of these. */
    snprintf(topology, sizeof topology,
             "topology=\"FAT_TREE\" topo_parameters=\"2;%d,%d;1,%d;1,1\"", down,
             input->ranks / down, down);
    nuce_platform_print_cluster(ops, input->ranks, BANDWIDTH, LATENCY, topology, stream);
}

const struct nuce_platform_ops nuce_platform_fat_tree = {
    .name = "fat-tree",
    .summary = "a cluster of today: two levels of switches, 25 GB/s, 1 us across",
    .source = "SimGrid 3.32, Platform examples; 200 Gb/s links",
    .ranks = 64,
    .speed = "1Gf",
    .poll_s = 1e-7,
    .check = fat_tree_check,
    .print = fat_tree_print,
};
