/* Values in a sweep file: scalars, lists and ranges, checked by the option that they are for. Part
 * of the sweep parser. */
#ifndef NUCE_SWEEP_VALUES_H
#define NUCE_SWEEP_VALUES_H

#include "campaigns/sweep.h"
#include "campaigns/yaml_file.h"
#include "points/launch_factors.h"

/* What is known while a file is parsed. The document, scratch and folder are nuce_sweep_parse's to
 * release, all else that is pointed to is borrowed. */
struct nuce_sweep_parser {
    struct nuce_yaml yaml;
    struct nuce_problems *problems;
    const struct nuce_sweep_judge *judge;
    /* NULL until the key `workload` has been parsed. */
    const struct nuce_workload_ops *workload;
    struct nuce_sweep *sweep;          /* what is parsed, for the variables of its environment */
    void *scratch;                     /* workload->params_size bytes, for checking values */
    struct nuce_launch_factors launch; /* the same for how processes are started */
    char *folder;                      /* of the sweep file */
    int64_t values;                    /* so far, all options together */
};

/* Values of one option as they stand in the file, or of several that vary in step, row by row. */
struct nuce_settings {
    struct nuce_setting *list;
    int64_t count, capacity;
};

/* Also drops the values. Accepts one that is all zero, and leaves it so. */
void nuce_settings_fini(struct nuce_settings *settings);

/* A file that text names beside the sweep file, as an absolute path: the same sweep means the same
 * points from whatever folder it is run. A text with a slash is a path and gets the folder in front
 * also where there is no such file, for the message; a word without one stays as it is then, as it
 * may be a name that nuce ships. A new string. */
char *nuce_sweep_anchored(const struct nuce_sweep_parser *parser, const char *text);

/* The values that node gives to option, appended to *out: of a scalar, a list of scalars or a
 * range. params is memory for the option's member, or NULL: that of the parser for values that are
 * only tried, each over the one before it. Returns 0 if anything was wrong (and said). */
int nuce_sweep_values(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct nuce_settings *out);

/* The one value that node gives, set in params, which is as above, and appended to *out; out is
 * NULL for what is set once and for all. Returns 0 if anything was wrong (and said). */
int nuce_sweep_scalar(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct nuce_settings *out);

/* The values 0 .. N - 1 of a counted option, N being the scalar at node: `instances: 10`. Returns 0
 * if anything was wrong (and said). */
int nuce_sweep_counted(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                       const yaml_node_t *node, struct nuce_settings *out);

/* The option that the text of key names, of the workload or of how processes are started; or NULL,
 * said with the nearest name. *counted tells whether key was the plural of a counted one. */
const struct nuce_option *nuce_sweep_option(struct nuce_sweep_parser *parser,
                                            const yaml_node_t *key, int *counted);

/* The row of the environment variable that the text of key names, made (and owned by the sweep) if
 * there is none; NULL, said. */
const struct nuce_option *nuce_sweep_variable(struct nuce_sweep_parser *parser,
                                              const yaml_node_t *key);

/* Says that key, a text, is unknown: that it is no more, or belongs elsewhere, or the nearest of
 * count names, or all of them. */
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

/* Both release what is inside, and leave the struct as it is: not to be called twice. */
void nuce_axis_fini(struct nuce_axis *axis);
void nuce_product_fini(struct nuce_product *product);

#endif
