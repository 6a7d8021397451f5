/* The leak check at the end of every program under the sanitizers. By itself it reads the variables
 * of all libraries, with 10 MiB that the sanitizers keep for themselves and have hardly touched:
 * 2 500 page faults, most of the time of a short process. Here it skips the sanitizers' own. */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/* MPICH, UCX, hwloc and PAPI keep what they allocate until the process ends. What hwloc's plugins
 * keep has no name any more by then, so the test presets do without them (HWLOC_PLUGINS_PATH). */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libmpich\nleak:libucs\nleak:libucp\nleak:libuct\nleak:libucm\nleak:libhwloc\n"
           "leak:libpapi\nleak:libpfm\n";
}

typedef int visit_function(struct dl_phdr_info *library, size_t size, void *data);
typedef int iterate_function(visit_function *visit, void *data);

struct visitor {
    visit_function *visit;
    void *data;
};

static int visit_others(struct dl_phdr_info *library, size_t size, void *data)
{
    const struct visitor *visitor = data;

    if (strstr(library->dlpi_name, "/libasan.so") != NULL ||
        strstr(library->dlpi_name, "/libubsan.so") != NULL)
        return 0;
    return visitor->visit(library, size, visitor->data);
}

/* glibc's own, or NULL before the process ends. The check has stopped all threads, whatever they
 * hold, when it asks for the libraries. So nothing can be looked up then. */
static iterate_function *iterate;

__attribute__((destructor)) void nuce_skip_sanitizers(void);
void nuce_skip_sanitizers(void)
{
    void *symbol = dlsym(RTLD_NEXT, "dl_iterate_phdr");

    memcpy(&iterate, &symbol, sizeof iterate);
}

int dl_iterate_phdr(visit_function *visit, void *data)
{
    struct visitor visitor = {.visit = visit, .data = data};

    if (iterate != NULL)
        return iterate(visit_others, &visitor);
    iterate_function *all;
    void *symbol = dlsym(RTLD_NEXT, "dl_iterate_phdr");
    memcpy(&all, &symbol, sizeof all);
    return all(visit, data);
}
