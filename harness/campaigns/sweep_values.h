/* Values in a sweep file: scalars, lists and ranges, checked by their option. Part of the sweep
 * parser. */
#ifndef NUCE_SWEEP_VALUES_H
#define NUCE_SWEEP_VALUES_H

#include "campaigns/sweep.h"
#include "campaigns/yaml_file.h"
#include "points/launch_factors.h"

/* The state of parsing a file. nuce_sweep_parse releases the document, scratch and folder; all
 * other pointers are borrowed. */
struct nuce_sweep_parser {
    struct nuce_yaml yaml;
    struct nuce_problems *problems;
    const struct nuce_sweep_judge *judge;
    /* NULL until the key `workload` has been parsed. */
    const struct nuce_workload_ops *workload;
    struct nuce_sweep *sweep;          /* the sweep being parsed, for its environment variables */
    void *scratch;                     /* workload->params_size bytes, for checking values */
    struct nuce_launch_factors launch; /* the same for launch factors */
    char *folder;                      /* of the sweep file */
    int64_t values;                    /* number of values so far, of all options */
};

/* Values of one option as in the file, or of several options that vary in step, row by row. */
struct nuce_settings {
    struct nuce_setting *list;
    int64_t count, capacity;
};

/* Also drops the values. Accepts an all zero struct, and leaves one. */
void nuce_settings_fini(struct nuce_settings *settings);

/* The absolute path of a file that text names relative to the sweep file: a sweep then means the
 * same points in every folder. A text with a slash is a path, and gets the folder in front even if
 * the file does not exist, for the message. A word without a slash that is not a file stays
 * unchanged, because it may be a shipped name. A new string. */
char *nuce_sweep_anchored(const struct nuce_sweep_parser *parser, const char *text);

/* Appends the values of option at node to *out: a scalar, a list of scalars or a range. params is
 * memory for the option's member; NULL: the parser's memory for trial values, each of which
 * overwrites the last. Returns 0 after an error, which was reported. */
int nuce_sweep_values(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct nuce_settings *out);

/* Sets the one value at node in params, as above, and appends it to *out; out is NULL for a value
 * outside of axes. Returns 0 after an error, which was reported. */
int nuce_sweep_scalar(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct nuce_settings *out);

/* Appends the values 0 .. N - 1 of a counted option; N is the scalar at node: `instances: 10`.
 * Returns 0 after an error, which was reported. */
int nuce_sweep_counted(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                       const yaml_node_t *node, struct nuce_settings *out);

/* The option with the name in key, of the workload or a launch factor. NULL: unknown, and reported
 * with the nearest name. *counted is set if key was the plural of a counted option. */
const struct nuce_option *nuce_sweep_option(struct nuce_sweep_parser *parser,
                                            const yaml_node_t *key, int *counted);

/* True if name is set when processes start: a row of nuce_launch_options, a variable that the sweep
 * sets, or all of these as "environment". */
int nuce_sweep_is_launch(const struct nuce_sweep_parser *parser, const char *name);

/* The row of the environment variable that the text of key names, made (and owned by the sweep) if
 * there is none; NULL, said. */
const struct nuce_option *nuce_sweep_variable(struct nuce_sweep_parser *parser,
                                              const yaml_node_t *key);

/* Reports that key, a text, is unknown. The message says that the key was removed, or belongs
 * elsewhere, or gives the nearest of count names, or all of them. */
void nuce_sweep_unknown(struct nuce_sweep_parser *parser, const yaml_node_t *key,
                        const char *const *names, size_t count);

/* The keys `sweep` and `zip` (which is parsed first: no option may be set in both). */
void nuce_sweep_products(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                         struct nuce_sweep *out);
void nuce_sweep_zip(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                    struct nuce_sweep *out);

/* The keys `compare` and, after it, `reference`. */
void nuce_sweep_compare(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                        struct nuce_sweep *out);
void nuce_sweep_reference(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          struct nuce_sweep *out);

/* Both free the members and leave the struct unchanged: do not call them twice. */
void nuce_axis_fini(struct nuce_axis *axis);
void nuce_product_fini(struct nuce_product *product);

#endif
