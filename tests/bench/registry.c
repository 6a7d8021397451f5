#include "bench.h"

#define X(name) extern const struct nuce_bench nuce_bench_##name;
#define R(name) X(name)
#include "bench.def"
#undef X

const struct nuce_bench *const nuce_benches[] = {
#define X(name) &nuce_bench_##name,
#include "bench.def"
#undef X
    NULL,
};
