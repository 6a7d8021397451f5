#include "bundle/findings_print.h"

#include "support/units.h"

void nuce_findings_print(const struct nuce_findings *findings, FILE *file)
{
    for (int64_t i = 0; i < findings->count; i++) {
        const struct nuce_finding *finding = &findings->list[i];

        (void)fprintf(file, "%s: %s", nuce_finding_name(finding->kind), finding->file);
        if (finding->line > 0)
            (void)fprintf(file, ":%lld", (long long)finding->line);
        (void)fprintf(file, ": %s\n", finding->problem);
    }
}

static void print_count(FILE *file, const char *before, int64_t count, const char *thing)
{
    (void)fprintf(file, "%s%lld %s%s", before, (long long)count, thing, count == 1 ? "" : "s");
}

void nuce_bundle_counts_print(const struct nuce_bundle_counts *counts, FILE *file)
{
    print_count(file, "", counts->campaigns, "campaign");
    print_count(file, ", ", counts->points, "point");
    print_count(file, ", ", counts->runs, "run");
    (void)fprintf(file, " (%lld ok)", (long long)counts->ok);
    print_count(file, " in ", counts->record_files, "record file");
    print_count(file, ", ", counts->jobs, "job");
    print_count(file, ", ", counts->environments, "environment");
}

void nuce_bundle_limit(const char *text, struct argp_state *state,
                       struct nuce_bundle_limits *limits)
{
    struct nuce_error error;

    if (nuce_parse_bytes(text, &limits->bytes, &error) != NUCE_OK)
        argp_error(state, "--limit: %s", error.message);
}
