/* What bundle, verify and import say. */
#include "results/bundle_print.h"

#include "base/text.h"

void nuce_bundle_print_problem(void *context, const char *kind, const char *problem)
{
    fprintf(context, "%s: %s\n", kind, problem);
}

void nuce_bundle_print_counts(const struct nuce_bundle *bundle, FILE *file)
{
    fprintf(file, "%lld campaign%s, %lld point%s, %lld run%s in %lld record file%s",
            (long long)bundle->campaigns, nuce_text_plural(bundle->campaigns),
            (long long)bundle->points, nuce_text_plural(bundle->points), (long long)bundle->runs,
            nuce_text_plural(bundle->runs), (long long)bundle->record_files,
            nuce_text_plural(bundle->record_files));
}
