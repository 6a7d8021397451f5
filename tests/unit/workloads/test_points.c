/* Points of every workload: the parameters that count, refused input, identity, and the start of
 * processes; and the tables of options and results behind them. */
#include "../folder.h"
#include "points.h"

#include "base/rng.h"
#include "points/launch_factors.h"

static int files_setup(void **state)
{
    static const char circle[] = "3\n0 1 100\n1 2 50\n2 0 7\n";
    /* A path of its square, five nodes: 0 - 1 - 2 - 3 - 0 and 4 beside 0. */
    static const char square[] = "5 5\n2 4 5\n1 3\n2 4\n1 3\n1\n";

    folder_setup(state);
    assert_int_equal(mkdir("other", 0777) | mkdir("changed", 0777), 0);
    file_write("circle.com", circle);
    file_write("other/circle.com", circle);
    file_write("changed/circle.com", "3\n0 1 100\n1 2 50\n2 0 8\n");
    file_write("square.graph", square);
    file_write("other/square.graph", square);
    file_write("some.com", "5\n0 1 100\n");
    file_write("two.network", "ranks 2\n0 1 1e-6 1e6\n1 0 1e-6 1e6\n");
    file_write("three.conf", "switch a b\nnode n0 a\nnode n1 a\nnode n2 b\n");
    return 0;
}

/* An option that means nothing is not part of a point: the lists are worked out from the help of
 * options. */
static void test_keys(void **state)
{
    static const char *const cases[][2] = {
        {"exchange 3 schedule=ac com=circle.com", "com pattern schedule seed"},
        {"exchange 3 schedule=ac mesh=square.graph",
         "item-bytes mesh overlap partition pattern schedule seed"},
        {"exchange 3 schedule=ac pattern=uniform degree=2",
         "degree instance item-bytes pattern schedule seed"},
        {"exchange 8 schedule=ac pattern=skewed", "instance item-bytes pattern schedule seed"},
        {"exchange 3 schedule=greedy com=circle.com bandwidth=1MB..2MB",
         "bandwidth com in-flight instance network pattern schedule seed"},
        {"exchange 3 schedule=rs-nh com=circle.com tau=1ms phi=1e-9 network=emulated bandwidth=1MB "
         "startup=1us symmetric=true",
         "bandwidth com instance link-bandwidth network pattern phi schedule seed startup "
         "symmetric tau"},
        {"exchange 3 schedule=ac pattern=moe",
         "imbalance instance item-bytes pattern schedule seed tokens top-k"},
        {"exchange 3 schedule=ac com=circle.com placement=rm topology=three.conf "
         "topology-nodes=by-name",
         "com pattern placement schedule seed topology"},
        {"redistribute 4 schedule=ac elements=99 block=3 factor=2",
         "block element-bytes elements factor schedule seed"},
        {"redistribute 4 schedule=ac elements=99 block=3 to-block=2 columns=5 to-grid=2x2 "
         "reverse=true",
         "block column-block columns element-bytes elements reverse schedule seed to-block "
         "to-grid"},
        {"speeds 3", "element side stencil"},
        {"speeds 3 network=measured", "element network side stencil"},
        {"mapping 3 topology=three.conf", "instance mesh per-node placement routing seed topology"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(point) point = point_of("%s", cases[i][0]);
        char *text = json_dumps(point.canonical, JSON_SORT_KEYS | JSON_COMPACT), found[1024] = "";
        json_t *sorted = json_loads(text, 0, NULL), *value;
        const char *key;

        json_object_foreach(sorted, key, value)
            snprintf(found + strlen(found), 256, "%s%s", found[0] == '\0' ? "" : " ", key);
        assert_string_equal(found, cases[i][1]);
        free(text);
        json_decref(sorted);
    }
}

/* A point's identity excludes tuning that its schedule ignores, spelled-out defaults, measurement
 * settings, and the folder of a file. */
static void test_same(void **state)
{
    static const struct {
        int same;
        const char *first, *second;
    } cases[] = {
        {1, "exchange 3 schedule=ac com=circle.com",
         "exchange 3 schedule=ac com=other/circle.com pattern=com"},
        {1, "exchange 3 schedule=lp com=circle.com",
         "exchange 3 schedule=lp com=circle.com in-flight=4 lambda=0.5 choices=ac,lp"},
        {0, "exchange 3 schedule=ac com=circle.com",
         "exchange 3 schedule=ac com=circle.com in-flight=4"},
        {1, "exchange 3 schedule=greedy com=circle.com",
         "exchange 3 schedule=greedy com=circle.com in-flight=1"},
        {0, "exchange 3 schedule=greedy com=circle.com",
         "exchange 3 schedule=greedy com=circle.com in-flight=4"},
        /* Its choices take their own each: ac has no limit, greedy 1. */
        {0, "exchange 3 schedule=best com=circle.com",
         "exchange 3 schedule=best com=circle.com in-flight=1"},
        {1, "exchange 3 schedule=ac com=circle.com bandwidth=1MB",
         "exchange 3 schedule=ac com=circle.com bandwidth=1e6 network=random"},
        {1, "exchange 3 schedule=ac mesh=square.graph",
         "exchange 3 schedule=ac mesh=other/square.graph partition=kway"},
        {0, "exchange 3 schedule=ac mesh=square.graph",
         "exchange 3 schedule=ac mesh=square.graph overlap=true"},
        {0, "exchange 3 schedule=ac com=circle.com",
         "exchange 3 schedule=ac com=changed/circle.com"},
        {1, "redistribute 4 schedule=ac elements=4K block=3 factor=2",
         "redistribute 4 schedule=ac elements=4000 block=3 factor=2 reverse=false columns=1 "
         "instance=5"},
        {0, "redistribute 4 schedule=ac elements=4K block=3 factor=2 bandwidth=1MB..2MB",
         "redistribute 4 schedule=ac elements=4K block=3 factor=2 bandwidth=1MB..2MB instance=5"},
        {1, "stencil 4", "stencil 4 weights=equal decomposition=xy2 schedule=ac"},
        {1, "stencil 4 weights=0.50,1, 2,4e0", "stencil 4 weights=.5,1,2,4"},
        {1, "stencil 4 emulate-speeds=1,2,4,8", "stencil 4 emulate-speeds=1,2,4,8 weights=1,2,4,8"},
        {0, "stencil 4 emulate-speeds=1,2,4,8", "stencil 4 weights=1,2,4,8"},
        {0, "stencil 4 ratio=4", "stencil 4 ratio=4 instance=1"},
        {1, "stencil 4 ratio=1", "stencil 4 ratio=1 samples=9"},
        {0, "stencil 4 ratio=4", "stencil 4 ratio=4 samples=9"},
        {0, "stencil 4 schedule=ac", "stencil 4 schedule=lp"},
        {1, "stencil 4 iterations=20 speeds-after=10: 1.0,2,3,4/1.5e1:4,3,2,1",
         "stencil 4 iterations=20 speeds-after=10:1,2,3,4/15:4,3,2,1 emulate-speeds=1,1,1,1 "
         "rebalance=never"},
        {0, "stencil 4 iterations=20 rebalance=every-look",
         "stencil 4 iterations=20 rebalance=when-it-pays"},
        {0, "stencil 4", "stencil 4 placement=rm"},
        {0, "stencil 4 placement=sm", "stencil 4 placement=rm"},
        {1, "stencil 4 topology-nodes=by-name", "stencil 4"},
        {1, "permutations 8 permutation=xor-4", "permutations 8 permutation=xor-4 seed=7 count=3"},
        {0, "permutations 8 permutation=random", "permutations 8 permutation=random seed=7"},
        {1, "speeds 3 emulate-speeds=1.0, 2,3e0", "speeds 3 emulate-speeds=1,2,3 side=1500"},
        {0, "speeds 3", "speeds 3 emulate-speeds=1,1,1"},
        {1, "mapping 12", "mapping 12 mesh=3x4"},
        {0, "mapping 12", "mapping 12 mesh=4x3"},
        {1, "mapping 3 topology=three.conf",
         "mapping 3 topology=three.conf switches=9 nodes=17 ports=3 connectivity=0.5 "
         "connectivity-of=all"},
        {0, "mapping 3 topology=three.conf", "mapping 3 topology=three.conf instance=1"},
        {0, "mapping 4 topology=three.conf per-node=2", "mapping 4 topology=three.conf per-node=4"},
        {1, "mapping 8 mesh=2x4x1", "mapping 8 mesh=2x4"},
        {0, "mapping 8 mesh=2x2x2", "mapping 8 mesh=2x4"},
        {1, "contention 3 partners=2",
         "contention 3 partners=2 min-samples=3 max-samples=1e3 wait=spin"},
        {1, "contention 3 partners=2 size=4KiB",
         "contention 3 size=4096 partners=2 direction=to-one"},
        {0, "contention 3 partners=2 size=4KiB", "contention 3 partners=2 size=4KB"},
        {0, "contention 3 partners=2", "contention 4 partners=2"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(point) a = point_of("%s", cases[i].first), b = point_of("%s", cases[i].second);

        if ((strcmp(a.id, b.id) == 0) != cases[i].same)
            fail_msg("%s and %s", cases[i].first, cases[i].second);
    }
}

static const struct {
    const char *point, *subject, *says;
} refused[] = {
    {"exchange 4 schedule=ac com=circle.com", "ranks",
     "circle.com is for 3 ranks, expected as many"},
    {"exchange 6 schedule=ac mesh=square.graph", "ranks", "'6': more than the 5 nodes of mesh"},
    {"exchange 3 schedule=ac com=circle.com network=two.network", "ranks",
     "two.network is for 2 ranks, expected as many"},
    {"exchange 3 pattern=uniform", "schedule", "not given: expected one of 'nuce list schedules'"},
    {"exchange 3 schedule=ac", "pattern", "not given: expected a mesh, a com file, or a pattern"},
    {"exchange 16 schedule=ac mesh=wing-2800 samples=3", "samples", ""},
    {"exchange 3 schedule=ac pattern=capture", "capture", "pattern capture needs a file"},
    {"exchange 3 schedule=ac mesh=wing-2800 call=2", "call", "has no effect"},
    {"exchange 3 schedule=ac capture=x call=../x", "call", "expected ID"},
    {"exchange 3 schedule=ac pattern=mesh", "mesh", "not given: pattern mesh needs one"},
    {"exchange 3 schedule=ac pattern=com", "com", "not given: pattern com needs a file"},
    {"exchange 3 schedule=ac com=x degree=3", "degree",
     "has no effect on pattern com: leave it out"},
    {"exchange 3 schedule=ac com=x item-bytes=3B", "item-bytes", "has no effect on pattern com"},
    {"exchange 3 schedule=ac com=x mesh=y", "mesh", "has no effect on pattern com"},
    {"exchange 3 schedule=ac mesh=x item-bytes=12B", "item-bytes",
     "'12B': on a mesh expected a multiple of 8 bytes"},
    {"exchange 3 schedule=ac mesh=x network=emulated bandwidth=1MB", "network",
     "'emulated': changes the messages, and those of a mesh are"},
    {"exchange 3 schedule=ac pattern=uniform degree=4", "degree", "4"},
    {"exchange 3 schedule=ac pattern=uniform degree=2 network=cm5 bandwidth=1MB", "network",
     "'cm5': expected random or emulated with a bandwidth"},
    {"exchange 3 schedule=ac pattern=skewed tau=1us", "phi", "tau and phi go together"},
    {"exchange 3 schedule=ac pattern=skewed phi=1e-9", "tau", "tau and phi go together"},
    {"exchange 3 schedule=ac pattern=skewed in-flight=3e9", "in-flight",
     "'3000000000': expected at most 2147483647"},
    {"exchange 3 schedule=pdgemr2d pattern=skewed", "",
     "pdgemr2d: moves block-cyclic arrays: expected the workload redistribute"},
    {"exchange 3 schedule=ac pattern=skewed topology=x", "topology",
     "'x': expected a placement with it"},
    {"exchange 3 schedule=ac pattern=skewed topology-nodes=in-order", "topology-nodes",
     "'in-order': expected a topology with it"},
    {"exchange 8 schedule=multi-leader pattern=skewed leaders=5 node-ranks=4", "leaders", ""},
    {"exchange 8 schedule=multi-leader pattern=skewed leaders=9 node-ranks=9", "node-ranks", ""},
    {"exchange 8 schedule=twill pattern=skewed group-topology=/none", "group-topology", ""},
    {"exchange 8 schedule=ac pattern=skewed network=/none", "network", ""},
    {"exchange 3 schedule=ac com=/nowhere.com", "com", "/nowhere.com"},
    {"exchange 3 schedule=ac mesh=/nowhere.graph", "mesh", "/nowhere.graph"},
    {"redistribute 4 elements=9 block=1 factor=2", "schedule", "not given"},
    {"redistribute 4 schedule=ac block=1 factor=2", "elements",
     "not given: expected the length of the array"},
    {"redistribute 4 schedule=ac elements=9 factor=2", "block", "not given"},
    {"redistribute 4 schedule=ac elements=0 block=1 factor=2", "elements",
     "'0': expected at least 1"},
    {"redistribute 4 schedule=ac elements=9 block=0 factor=2", "block", "'0': expected at least 1"},
    {"redistribute 4 schedule=ac elements=9 block=1 factor=2 element-bytes=0", "element-bytes",
     "'0'"},
    {"redistribute 4 schedule=ac elements=9007199254740991 block=2 factor=2", "",
     "an array of 9007199254740991 x 1 elements of 8 bytes: expected at most 2^53 bytes"},
    {"redistribute 4 schedule=ac elements=9 block=4 factor=4e15", "factor",
     "'4000000000000000': with a block of 4 expected at most 2251799813685248"},
    {"redistribute 4 schedule=ac elements=9 block=1 factor=2 grid=2x", "grid",
     "'2x': expected ROWSxCOLUMNS of at most 4 ranks, such as 4x1"},
    {"redistribute 4 schedule=ac elements=9 block=1 factor=2 grid=0x4", "grid", "'0x4'"},
    {"redistribute 4 schedule=ac elements=9 block=1 factor=2 grid=+2x2", "grid", "'+2x2'"},
    {"redistribute 4 schedule=ac elements=9 block=1 factor=2 grid=2x1 to-grid=3", "ranks",
     "'4': the larger of the two grids has 3: expected as many"},
    {"redistribute 4 schedule=ac elements=9 block=1 factor=2 column-block=2", "column-block",
     "has no effect on an array of one column: leave it out"},
    {"redistribute 4 schedule=ac elements=9 block=1 factor=2 to-column-block=2", "to-column-block",
     "has no effect on an array of one column"},
    {"redistribute 4 schedule=pdgemr2d elements=9 block=1 factor=2 network=emulated "
     "bandwidth=1MB",
     "network", "'emulated': changes the messages, and pdgemr2d moves the arrays"},
    {"stencil 4 weights=1", "weights", "'1': 1 number: expected one for each of 4 ranks"},
    {"stencil 4 weights=1,2,3x,4", "weights", "number 3 of 4"},
    {"stencil 4 weights=1,2,3,", "weights", "number 4 of 4"},
    {"stencil 4 weights=1,2,3,4,5", "weights", "5 numbers"},
    {"stencil 4 weights=1,0,3,4", "weights", "number 2 of 4: '0': expected a number above 0"},
    {"stencil 4 weights=1,-2,3,4", "weights", "number 2 of 4: '-2': expected a number above 0"},
    {"stencil 4 weights=1,fast,3,4", "weights", "number 2 of 4: 'fast'"},
    {"stencil 4 weights=1,2,nan,4", "weights", "number 3 of 4: 'nan'"},
    {"stencil 4 weights=1,2,inf,4", "weights", "number 3 of 4: 'inf'"},
    {"stencil 4 weights=1,2,,4", "weights", "number 3 of 4"},
    {"stencil 4 weights=1,1e-20,3,4", "weights", "weight 2 of 4"},
    {"stencil 4 weights=1,2,3,4 ratio=2", "ratio", "'2': expected no weights"},
    {"stencil 4 emulate-speeds=1,2", "emulate-speeds", "'1,2': 2 numbers"},
    {"stencil 4 emulate-speeds=1,0,3,4", "emulate-speeds",
     "number 2 of 4: '0': expected a number above 0"},
    {"stencil 4 iterations=20 look-every=0 rebalance=every-look", "look-every", "'0'"},
    {"stencil 4 rebalance=sometimes", "", "unknown rebalance 'sometimes'"},
    {"stencil 4 ratio=0.5", "ratio", "'0.5': expected at least 1"},
    {"stencil 4 latency=-1", "latency", "'-1': expected at least 0"},
    {"stencil 4 schedule=xy2", "", "unknown schedule 'xy2'"},
    {"stencil 4 stencil=7", "stencil", "'7': expected 5 or 9"},
    {"stencil 4 halo-depth=0", "halo-depth", "'0': expected at least 1"},
    {"stencil 4 rows=1 columns=3", "ranks", "'4': expected at most one"},
    {"stencil 4 rows=1e9 columns=1e9", "", "expected less than 2^53 bytes"},
    {"stencil 4 bandwidth=1MB network=emulated", "network", "'emulated': changes the messages"},
    {"contention 4", "partners", "not given: expected 1 .. 3"},
    {"contention 4 partners=0", "partners", "'0': expected at least 1"},
    {"contention 4 partners=1 size=0", "size", "'0': expected at least 1"},
    {"contention 4 partners=1 direction=both", "", "unknown direction 'both'"},
    {"contention 4 partners=4", "partners", "'4': expected 1 .. 3, the other ranks"},
    {"permutations 1 permutation=random", "ranks", "'1'"},
    {"permutations 4", "permutation", "not given: expected random or xor-D"},
    {"permutations 4 permutation=xor-4", "permutation",
     "'xor-4': expected a distance below the number of ranks, 4"},
    {"permutations 4 permutation=xor-3", "", "unknown permutation 'xor-3'"},
    {"permutations 4 permutation=random count=1000001", "count",
     "'1000001': expected at most 1000000"},
    {"links 1", "ranks", "'1'"},
    {"links 1025", "ranks", "'1025'"},
    {"links 4 largest=1025MiB", "largest", "expected at most 1GiB"},
    {"links 4 smallest=2MiB", "smallest", "'2097152': expected less than largest, 1048576"},
    {"links 4 sizes=33", "sizes", "'33': expected at most 32"},
    {"links 4 smallest=1B largest=4B sizes=5", "sizes",
     "'5': from 1 to 4 bytes there are fewer whole sizes"},
    {"links 4 centres=2000", "centres", "'2000': expected at most 1024"},
    {"links 4 repetitions=0", "repetitions", "'0': expected at least 1"},
    {"links 4 repetitions=1001", "repetitions", "'1001'"},
    {"speeds 3 stencil=7", "stencil", "'7': expected 5 or 9"},
    {"speeds 3 network=random", "network",
     "'random': expected a NETWORK FILE, a preset or measured"},
    {"speeds 3 emulate-speeds=1,2", "emulate-speeds",
     "'1,2': 2 numbers: expected one for each of 3 ranks"},
    {"speeds 3 emulate-speeds=1,2,zero", "emulate-speeds", "number 3 of 3"},
    {"mapping 12 mesh=4x4", "mesh", "'4x4': a mesh of 16 processes: expected one of 12, the ranks"},
    {"mapping 12 mesh=4y3", "mesh", "'4y3'"},
    {"mapping 257 nodes=64 per-node=4", "ranks",
     "'257': the network has 64 nodes of 4 processors: expected at most 256"},
    {"mapping 4 nodes=1e12", "nodes", "expected 1 to "},
    {"mapping 4 connectivity=1.5", "connectivity", "'1.5'"},
    {"mapping 4 topology=three.conf", "ranks",
     "'4': the network has 3 nodes of 1 processor: expected at most 3"},
    {"mapping 4 com=some.com", "ranks", "some.com is for 5 ranks, expected as many"},
    {"mapping 4 com=/none", "com", "No such file"},
    {"mapping 4 mesh=2x2 topology=/none", "", "No such file"},
    {"mapping 4 mesh=2x2 switches=40000", "switches", "'40000': expected 1 to 32768"},
    {"mapping 4 mesh=2x2 ports=5000", "ports", "'5000': expected 1 to 4096"},
    {"contention 3 partners=2 min-samples=300", "max-samples", "50 is less than min-samples, 300"},
    {"contention 3 partners=2 max-samples=1000001", "max-samples",
     "'1000001': expected at most 1000000"},
    {"contention 3 partners=2 trace-events=10000001", "trace-events", "expected at most 10000000"},
    {"contention 3 partners=2 target-ci=1", "target-ci", "'1' is 100 %: expected a fraction"},
    {"contention 3 partners=2 max-samples=9", "max-samples", "9 is less than min-samples, 10"},
    {"contention 3 partners=2 launches=1000001", "launches", ""},
    {"contention 3 partners=2 batch=1000001", "batch", ""},
    {"contention 3 partners=2 min-samples=0", "min-samples", "'0': expected at least 1"},
    {"contention 3 partners=2 warmup=-1", "warmup", "'-1'"},
    {"contention 3 partners=2 timeout=1ms", "timeout", "'1ms'"},
    {"contention 3 partners=2 wait=spni", "", "unknown wait 'spni' (did you mean 'spin'"},
    {"stencil 4 placement=rn", "", "unknown placement 'rn'"},
    {"stencil 4 topology=x", "topology", "expected a placement with it"},
    {"stencil 4 placement=rm network=measured", "network", "'measured'"},
    {"stencil 4 placement=rm topology=three.conf topology-nodes=in-order", "topology",
     "3 nodes for 4 ranks: expected at least as many"},
    {"stencil 4 placement=mpi-reorder network=some.net", "network",
     "'some.net': has the links of the ranks as launched"},
};

static void test_refused(void **state)
{
    for (size_t i = 0; i < COUNT(refused); i++)
        point_is_refused(refused[i].point, refused[i].subject, refused[i].says);
}

/* Options that a schedule ignores cause no error, nor do fitting ones. */
static void test_good(void **state)
{
    static const char *const points[] = {
        "exchange 8 schedule=multi-leader pattern=skewed node-ranks=8",
        "exchange 8 schedule=multi-leader pattern=skewed leaders=8",
        "exchange 8 schedule=multi-leader pattern=skewed leaders=4 node-ranks=4",
        "exchange 8 schedule=tuna pattern=skewed radix=8",
        "exchange 8 schedule=twill pattern=skewed group-ranks=4",
        "exchange 8 schedule=ac pattern=skewed node-ranks=9 leaders=9 radix=9 group-ranks=9",
        "stencil 3 placement=rm topology=three.conf topology-nodes=in-order",
        "stencil 4 placement=rm topology=three.conf topology-nodes=by-name",
        "stencil 4 placement=rm network=cm5",
        "stencil 4 network=measured",
    };

    for (size_t i = 0; i < COUNT(points); i++) {
        OWNED(point) point = point_of("%s", points[i]);

        assert_string_not_equal(point.id, "");
    }
}

/* An id that users can check with sha256sum: printf '%s' TEXT | sha256sum. */
#define KNOWN_ID "e91503c43a0869b1fb9921fe4cd7578a0322bf24c39ccf1fc7665ab099fb1e72"

static void test_known_id(void **state)
{
    struct nuce_point point = point_of("contention 3 partners=2"), copy;
    struct nuce_error error;
    char *text = nuce_point_canonical_text(point.workload, point.ranks, point.canonical, &error);

    assert_string_equal(text, "{\"params\":{\"direction\":\"to-one\",\"partners\":2,\"size\":4096},"
                              "\"ranks\":3,\"workload\":\"contention\"}");
    assert_string_equal(point.id, KNOWN_ID);
    free(text);
    nuce_point_copy(&point, &copy);
    ((struct nuce_contention_params *)copy.params)->partners = 1;
    assert_int_equal(((struct nuce_contention_params *)point.params)->partners, 2);
    nuce_point_fini(&point);
    assert_int_equal(json_integer_value(json_object_get(copy.canonical, "partners")), 2);
    assert_int_equal(copy.ranks, 3);
    nuce_point_fini(&copy);
}

/* Options of the workload come before those of measuring; a number is as good as a text. */
static void test_set(void **state)
{
    static const char *const bad[][2] = {
        {"sise", "unknown option 'sise' for workload contention"},
        {"algorithm", "algorithm: removed: say schedule, decomposition or placement"},
        {"direction", ""},
    };
    OWNED(point) point;
    struct nuce_error error = {0};
    json_t *seven = json_integer(7);

    nuce_point_init(&nuce_workload_contention, 9, &point);
    assert_ok(nuce_point_set(&point, "partners", seven, &error));
    assert_ok(nuce_point_set(&point, "warmup", seven, &error));
    assert_int_equal(((struct nuce_contention_params *)point.params)->partners, 7);
    assert_int_equal(point.measure.warmup, 7);
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(nuce_point_set(&point, bad[i][0], seven, &error), NUCE_BAD_INPUT);
        assert_says(&error, bad[i][1]);
    }
    assert_string_equal(point.id, "");
    assert_null(point.canonical);
    json_decref(seven);
}

/* A line of a plan gives the same point, parameters and measure, here and where no file is read; a
 * point of each workload that needs no file. A further workload has the point of its defaults. */
static void test_lines(void **state)
{
    static const char *const points[] = {
        "exchange 4 schedule=rs-nh pattern=uniform degree=3 tau=1ms phi=2e-9 bandwidth=10MB..20MB "
        "startup=1us..2us",
        "redistribute 4 schedule=greedy elements=1000 block=3 to-block=5 bandwidth=1MB "
        "symmetric=true",
        "stencil 4 schedule=ac weights=1,2,3,4 emulate-speeds=1,1,1,.5",
        "contention 4 partners=3 timeout=7.5s papi=A,B",
        "permutations 4 permutation=xor-2",
        "links 4 sizes=3",
        "speeds 4 emulate-speeds=1,2,3,4 network=cm5",
        "mapping 4 nodes=8 switches=16 layout=true",
        "program 4 command=./app metric=json:/time unit=us better=higher timeout=2s",
    };
    struct nuce_facts *facts = nuce_facts_create();
    struct nuce_error error = {0};

    for (size_t i = 0; nuce_workloads[i] != NULL; i++) {
        const char *text = i < COUNT(points) ? points[i] : nuce_workloads[i]->name;
        struct nuce_point point = point_of(i < COUNT(points) ? "%s" : "%s 4", text), again;
        json_t *line = nuce_point_to_json(&point, &error), *other;

        assert_ptr_equal(point.workload, nuce_workloads[i]);
        for (int is_read = 0; is_read < 2; is_read++) {
            assert_ok(nuce_point_from_json(line, is_read ? facts : NULL, &again, &error));
            assert_ptr_equal(again.workload, point.workload);
            assert_int_equal(again.ranks, point.ranks);
            assert_string_equal(again.id, is_read ? point.id : "");
            strcpy(again.id, point.id);
            other = nuce_point_to_json(&again, &error);
            assert_true(json_equal(line, other));
            json_decref(other);
            nuce_point_fini(&again);
        }
        json_decref(line);
        nuce_point_fini(&point);
    }
    assert_null(nuce_workload_find("exchanges"));
    nuce_facts_destroy(facts);
}

#define LINE(point, workload, ranks, params)                                                       \
    "{\"point\":\"" point "\",\"workload\":\"" workload "\",\"ranks\":" ranks                      \
    ",\"params\":{" params "},\"measure\":{}}"

static void test_bad_lines(void **state)
{
    static const char *const cases[][2] = {
        {"{}", "not a line of a plan: expected point, workload and ranks"},
        {LINE("a", "contention", "0", ""), "not a line of a plan"},
        {LINE("a", "contention", "2147483648", ""), "not a line of a plan"},
        {LINE("a", "contention", "\"3\"", ""), "not a line of a plan"},
        {LINE("a", "contentions", "3", ""), "unknown workload 'contentions'"},
        {LINE("a", "contention", "3", "\"x\":1"), "unknown option 'x'"},
        {LINE("a", "contention", "3", "\"algorithm\":\"ac\""), "algorithm: removed"},
        {LINE("a", "contention", "3", "\"partners\":3"), "partners: '3': expected 1 .. 2"},
        {LINE("a", "contention", "3", "\"partners\":\"many\""), "many"},
        {LINE("abc", "contention", "3", "\"partners\":2"),
         "point abc: this program and its files make it " KNOWN_ID},
    };
    struct nuce_facts *facts = nuce_facts_create();

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_point point;
        struct nuce_error error = {0};
        json_t *line = json_loads(cases[i][0], 0, NULL);

        assert_int_equal(nuce_point_from_json(line, facts, &point, &error), NUCE_BAD_INPUT);
        assert_says(&error, cases[i][1]);
        json_decref(line);
    }
    nuce_facts_destroy(facts);
}

/* More effort where less was asked for, and never less. */
static void test_precise(void **state)
{
    struct nuce_measure measure = {.launches = 5,
                                   .min_samples = 10,
                                   .max_samples = 20,
                                   .target_ci = 0.1,
                                   .time_limit = 30,
                                   .precise = 1,
                                   .trace_events = 1};

    assert_ok(nuce_measure_settle(&measure, ANY_ERROR));
    assert_true(measure.launches == 30 && measure.min_samples == 60 && measure.max_samples == 100);
    assert_true(measure.target_ci < 0.021 && measure.time_limit > 89);
    measure = (struct nuce_measure){.launches = 50,
                                    .min_samples = 100,
                                    .max_samples = 200,
                                    .target_ci = 0.001,
                                    .time_limit = 100,
                                    .precise = 1,
                                    .trace_events = 1};
    assert_ok(nuce_measure_settle(&measure, ANY_ERROR));
    assert_true(measure.launches == 50 && measure.min_samples == 100 && measure.max_samples == 200);
    assert_true(measure.target_ci < 0.0011 && measure.time_limit > 99);
}

/* Measured values replace `measured` in computations, not in the identity; a planned value stays.
 */
static void test_taken(void **state)
{
    static const char *const planned[] = {"measured", "1,2,3"}, *const used[] = {"3,1,4", "1,2,3"};
    struct nuce_facts *facts;
    struct nuce_error error;

    facts = nuce_facts_create();
    for (int i = 0; i < 2; i++) {
        json_t *weights = json_string(planned[i]);
        OWNED(point) point;
        char id[NUCE_HASH_BYTES];

        nuce_point_init(&nuce_workload_stencil, 3, &point);
        assert_ok(nuce_point_set(&point, "weights", weights, &error));
        assert_ok(nuce_point_complete(&point, facts, &error));
        memcpy(id, point.id, sizeof id);
        assert_ok(nuce_point_take_measured(&point, "weights", "3,1,4", &error));
        assert_string_equal(((struct nuce_stencil_params *)point.params)->weights, used[i]);
        assert_string_equal(point.id, id);
        assert_int_equal(nuce_point_take_measured(&point, "wieghts", "3,1,4", &error),
                         NUCE_BAD_INPUT);
        json_decref(weights);
    }
    nuce_facts_destroy(facts);
}

/* A mean over 3 instances from number 5 on. */
static void test_samples(void **state)
{
    OWNED(point) point = point_of("exchange 16 schedule=ac pattern=uniform samples=3 instance=5");
    struct nuce_exchange_params *params = point.params;

    assert_true(nuce_workload_is_mean(&nuce_workload_exchange, params));
    assert_int_equal(nuce_workload_samples(&nuce_workload_exchange, params), 3);
    nuce_workload_choose_sample(&nuce_workload_exchange, params, 2);
    assert_int_equal(params->scheduling.instance, 7);
    assert_false(nuce_workload_is_mean(&nuce_workload_exchange, params));
}

/* Names of variables, and whether a sweep may set them. */
static void test_variables(void **state)
{
    static const struct {
        const char *name;
        int is_good;
    } cases[] = {
        {"UCX_TLS", 1},
        {"A", 1},
        {"_own", 1},
        {"Mixed_Case9", 1},
        {"SLURM", 1},
        {"SLURMX", 1},
        {"SLURM_NTASKS", 0},
        {"SLURM_", 0},
        {"ranks", 0},
        {"9LIVES", 0},
        {"", 0},
        {"A B", 0},
        {"A=B", 0},
        {"XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", 1},
        {"XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", 0},
        {"A-B", 0},
        {"\xc3\x84", 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_error error = {0};
        nuce_status status = nuce_launch_check_variable(cases[i].name, &error);

        if ((status == NUCE_OK) != cases[i].is_good)
            fail_msg("'%s': %s", cases[i].name, error.message);
        if (!cases[i].is_good)
            assert_says(&error, cases[i].name);
    }
}

/* Factors as in a line of a plan; NULL: they are valid, else a part of the message. */
static void test_factors(void **state)
{
    static const struct {
        const char *factors, *says;
    } cases[] = {
        {"{}", NULL},
        {"{\"nodes\":2,\"ntasks-per-node\":64,\"mpi\":\"openmpi\",\"UCX_TLS\":"
         "\"sm\"}",
         NULL},
        {"{\"UCX_TLS\":null}", NULL},
        {"[]", "launch: expected an object"},
        {"{\"nodes\":0}", "launch: nodes: expected a whole number of at least 1"},
        {"{\"nodes\":-3}", "launch: nodes"},
        {"{\"nodes\":1.5}", "launch: nodes"},
        {"{\"nodes\":\"2\"}", "launch: nodes"},
        {"{\"nodes\":null}", "launch: nodes"},
        {"{\"ntasks-per-node\":0}", "launch: ntasks-per-node: expected a whole number"},
        {"{\"mpi\":1}", "launch: mpi: expected a text"},
        {"{\"mpi\":null}", "launch: mpi: expected a text"}, /* only variables may be unset */
        {"{\"UCX_TLS\":1}", "launch: UCX_TLS: expected a text"},
        {"{\"ucx\":\"x\"}", "environment: 'ucx'"},
        {"{\"SLURM_X\":\"x\"}", "Slurm sets its own"},
        {"{\"nodes\":1,\"mpi\":\"mpich\",\"UCX_TLS\":[]}", "launch: UCX_TLS"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *factors = json_loads(cases[i].factors, 0, NULL);
        struct nuce_error error = {0};
        nuce_status status = nuce_launch_check(factors, &error);

        assert_int_equal(status, cases[i].says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i].says != NULL && strstr(error.message, cases[i].says) == NULL)
            fail_msg("%s: '%s' does not say '%s'", cases[i].factors, error.message, cases[i].says);
        json_decref(factors);
    }
}

/* Missing counts are 0; another order of members is the same; no value differs from an empty
 * object. */
static void test_launch_same(void **state)
{
    json_t *one = json_loads("{\"nodes\":2,\"A\":null}", 0, NULL);
    json_t *other = json_loads("{\"A\":null,\"nodes\":2}", 0, NULL);
    json_t *less = json_loads("{\"nodes\":2}", 0, NULL);
    json_t *empty = json_object();

    assert_int_equal(nuce_launch_count(one, "nodes"), 2);
    assert_int_equal(nuce_launch_count(one, "ntasks-per-node"), 0);
    assert_int_equal(nuce_launch_count(NULL, "nodes"), 0);
    assert_true(nuce_launch_is_same(one, other));
    assert_true(nuce_launch_is_same(NULL, NULL));
    assert_false(nuce_launch_is_same(one, less)); /* unset differs from the value before */
    assert_false(nuce_launch_is_same(NULL, empty));
    assert_false(nuce_launch_is_same(empty, NULL));
    json_decref(one);
    json_decref(other);
    json_decref(less);
    json_decref(empty);
}

/* The keys in the order in which the database searches for the compared one (db/schema.sql, the
 * columns contender and problem of `point`). */
static const char *const compared_keys[] = {"decomposition", "schedule", "placement", "command"};

/* A workload with any of the keys has exactly one row that is compared, and it is that which
 * the database takes; its placement, where that is of processes on processors, may be left out. */
static void test_the_database_agrees(void **state)
{
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        const struct nuce_option *options = nuce_workloads[i]->options, *wanted = NULL;
        int compared = 0;

        for (size_t k = 0; wanted == NULL && k < COUNT(compared_keys); k++)
            wanted = nuce_option_find(options, compared_keys[k]);
        for (const struct nuce_option *row = options; row->name != NULL; row++)
            compared += (row->flags & NUCE_OPTION_COMPARED) != 0;
        assert_ptr_equal(nuce_option_compared(options), wanted);
        assert_int_equal(compared, wanted != NULL);
    }
}

/* The results of every workload: a name is part of an SQL path and of a CSV header, names of
 * seconds end in _s, and a name means the same in every workload, so that a view can name it once.
 * No parameter of that name hides it in the output of programs. */
static void check_result(const struct nuce_workload_ops *workload, const struct nuce_result *row)
{
    size_t length = strlen(row->name);
    int is_time = length > 2 && strcmp(row->name + length - 2, "_s") == 0;

    assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789_"), length);
    assert_true(strlen(row->meaning) > 0);
    if (is_time != (strcmp(row->unit, NUCE_UNIT_SECONDS) == 0))
        fail_msg("%s: %s: a name that ends in _s is of seconds", workload->name, row->name);
    if (row->flags & NUCE_RESULT_INTERVAL)
        assert_true(is_time);
    /* The row of a name is its first one: there is no second. */
    assert_ptr_equal(nuce_result_find(workload->results, row->name), row);
    if (nuce_option_find(workload->options, row->name) != NULL)
        fail_msg("%s: %s: an option and a result of one name", workload->name, row->name);
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        const struct nuce_result *other = nuce_result_find(nuce_workloads[i]->results, row->name);

        if (other != NULL)
            assert_true(other->type == row->type && strcmp(other->unit, row->unit) == 0);
    }
}

static void test_results(void **state)
{
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        for (const struct nuce_result *const *table = nuce_workloads[i]->results; *table != NULL;
             table++) {
            for (const struct nuce_result *row = *table; row->name != NULL; row++)
                check_result(nuce_workloads[i], row);
        }
    }
}

/* Values of an option that is not given by hand: table 2 of the paper, 1, 2, 4, ... and all others;
 * distances reach as far as there are ranks. */
static void test_by_hand(void **state)
{
    static const struct {
        const char *workload, *option;
        int ranks;
        const char *wanted;
    } cases[] = {
        {"contention", "partners", 2, "1"},
        {"contention", "partners", 3, "1,2"},
        {"contention", "partners", 5, "1,2,4"},
        {"contention", "partners", 8, "1,2,4,7"},
        {"contention", "partners", 9, "1,2,4,8"},
        {"contention", "partners", 1, ""},
        {"contention", "direction", 8, "to-one,from-one"},
        {"permutations", "permutation", 2, "random,xor-1"},
        {"permutations", "permutation", 4, "random,xor-1,xor-2"},
        {"permutations", "permutation", 5, "random,xor-1,xor-2,xor-4"},
        {"permutations", "count", 5, ""},
    };
    struct nuce_permutations_params params = {.permutation = "xor-4096"};

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nuce_workload_ops *workload = nuce_workload_find(cases[i].workload);
        char list[NUCE_PATH_BYTES] = "";

        workload->by_hand(nuce_option_find(workload->options, cases[i].option), cases[i].ranks,
                          list);
        assert_string_equal(list, cases[i].wanted);
    }
    assert_int_equal(nuce_permutations_distance(&params), 4096);
    strcpy(params.permutation, "random");
    assert_int_equal(nuce_permutations_distance(&params), 0);
}

/* Rows whose factor is whole are exact. */
static void test_sizes_by_hand(void **state)
{
    static const int64_t powers[] = {1024, 2048, 4096, 8192}, tens[] = {100, 1000, 10000};
    struct nuce_links_params params = {.smallest = 1024, .largest = 8192, .sizes = 4};
    int64_t bytes[NUCE_LINKS_SIZES_MOST];

    nuce_links_sizes(&params, bytes);
    assert_memory_equal(bytes, powers, sizeof powers);
    params = (struct nuce_links_params){.smallest = 100, .largest = 10000, .sizes = 3};
    nuce_links_sizes(&params, bytes);
    assert_memory_equal(bytes, tens, sizeof tens);
}

/* From end to end, each within half a byte of the geometric mean of its neighbours as they are. */
static void test_sizes(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);

    for (int draw = 0; draw < 200; draw++) {
        int64_t bytes[NUCE_LINKS_SIZES_MOST];
        struct nuce_links_params params = {
            .smallest = 1 + (int64_t)nuce_rng_below(&rng, 1000),
            .largest = 100000 + (int64_t)nuce_rng_below(&rng, 1 << 29),
            .sizes = 2 + (int64_t)nuce_rng_below(&rng, NUCE_LINKS_SIZES_MOST - 1)};

        nuce_links_sizes(&params, bytes);
        assert_int_equal(bytes[0], params.smallest);
        assert_int_equal(bytes[params.sizes - 1], params.largest);
        for (int64_t k = 1; k < params.sizes; k++)
            assert_true(bytes[k] >= bytes[k - 1]);
        for (int64_t k = 1; k + 1 < params.sizes; k++) {
            double low = sqrt(((double)bytes[k - 1] - 0.5) * ((double)bytes[k + 1] - 0.5));
            double high = sqrt(((double)bytes[k - 1] + 0.5) * ((double)bytes[k + 1] + 0.5));

            assert_true((double)bytes[k] > low - 0.51 && (double)bytes[k] < high + 0.51);
        }
    }
}

/* The sides that are filled in where none are given. */
static void test_mapping_mesh(void **state)
{
    static const struct {
        int ranks;
        const char *mesh;
    } cases[] = {{1, "1x1"}, {7, "1x7"}, {12, "3x4"}, {16, "4x4"}, {255, "15x17"}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(point) point = point_of("mapping %d", cases[i].ranks);

        assert_string_equal(((struct nuce_mapping_params *)point.params)->mesh, cases[i].mesh);
    }
}

RUN_IN(files_setup, folder_teardown, test_keys, test_same, test_refused, test_good, test_known_id,
       test_set, test_lines, test_bad_lines, test_precise, test_taken, test_samples, test_variables,
       test_factors, test_launch_same, test_the_database_agrees, test_results, test_by_hand,
       test_sizes_by_hand, test_sizes, test_mapping_mesh)
