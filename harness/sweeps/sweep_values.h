/* Values in a sweep file: scalars, lists and ranges, checked by the option that they are for. Part
 * of the sweep parser. */
#ifndef NUCE_SWEEP_VALUES_H
#define NUCE_SWEEP_VALUES_H

#include "sweeps/sweep.h"
#include "sweeps/yaml_file.h"
#include "workloads/launch_factors.h"

struct nuce_sweep_parser {
    struct nuce_yaml yaml;
    struct nuce_problems *problems;
    const struct nuce_sweep_judge *judge;
    const struct nuce_workload_ops *workload;
    struct nuce_sweep *sweep;          /* what is parsed, for the variables of its environment */
    void *scratch;                     /* workload->params_size bytes, for checking values */
    struct nuce_launch_factors launch; /* the same for how processes are started */
    char *folder;                      /* of the sweep file */
    int64_t values;                    /* so far, all options together */
};

struct nuce_settings {
    struct nuce_setting *list;
    int64_t count, capacity;
};

void nuce_settings_fini(struct nuce_settings *settings);

/* A file that text names beside the sweep file, as an absolute path: the same sweep means the same
 * points from whatever folder it is run. A name without such a file stays as it is. A new string,
 * or NULL when out of memory. */
char *nuce_sweep_anchored(const struct nuce_sweep_parser *parser, const char *text);

/* The values that node gives to option, appended to *out: of a scalar, a list of scalars or a
 * range. params is memory for the option's member. Returns 0 if anything was wrong (and said). */
int nuce_sweep_values(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct nuce_settings *out);

/* The one value that node gives. */
int nuce_sweep_scalar(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct nuce_settings *out);

/* The values 0 .. N - 1 of a counted option, N being the scalar at node. */
int nuce_sweep_counted(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                       const yaml_node_t *node, struct nuce_settings *out);

/* The option of the workload that the text of key names, or NULL, said with the nearest name.
 * *counted tells whether key was the plural of a counted one. */
const struct nuce_option *nuce_sweep_option(struct nuce_sweep_parser *parser,
                                            const yaml_node_t *key, int *counted);

/* Where the option's values are parsed to. */
void *nuce_sweep_scratch(struct nuce_sweep_parser *parser, const struct nuce_option *option);

/* The row of the variable that the text of key names, made if there is none; NULL, said. */
const struct nuce_option *nuce_sweep_variable(struct nuce_sweep_parser *parser,
                                              const yaml_node_t *key);

/* Says that key is unknown, with the nearest of count names. */
void nuce_sweep_unknown(struct nuce_sweep_parser *parser, const yaml_node_t *key,
                        const char *const *names, size_t count);

/* The keys `sweep` and `together` (which is parsed first: no option may be set in both). */
void nuce_sweep_products(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                         struct nuce_sweep *out);
void nuce_sweep_together(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                         struct nuce_sweep *out);

/* The keys `compare` and, after it, `reference`. */
void nuce_sweep_compare(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                        struct nuce_sweep *out);
void nuce_sweep_reference(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          struct nuce_sweep *out);

void nuce_axis_fini(struct nuce_axis *axis);
void nuce_product_fini(struct nuce_product *product);

#endif
