/* Options as data: one table of rows serves sweep keys, the command line, --help, the canonical
 * form and with it the hash of a point. A row names a member of a plain struct of parameters. */
#ifndef NUCE_OPTION_H
#define NUCE_OPTION_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/range.h"

enum nuce_option_type {
    NUCE_OPTION_CHOICE,     /* char[NUCE_NAME_BYTES]: one of the names of `choices`, NULL: any */
    NUCE_OPTION_FILE,       /* char[NUCE_PATH_BYTES]: a file, or a name of one that nuce ships */
    NUCE_OPTION_LIST,       /* char[NUCE_PATH_BYTES]: text passed on, such as names of events */
    NUCE_OPTION_COUNT,      /* int64_t: a whole number, as 64, 1e6 or 4M */
    NUCE_OPTION_BYTES,      /* int64_t */
    NUCE_OPTION_REAL,       /* double */
    NUCE_OPTION_DURATION,   /* double, seconds */
    NUCE_OPTION_BANDWIDTHS, /* struct nuce_range, bytes per second, above 0 */
    NUCE_OPTION_DURATIONS,  /* struct nuce_range, seconds */
    NUCE_OPTION_FLAG,       /* int, 0 or 1 */
    NUCE_OPTION_WORD,       /* int: the number of the name in `choices` */
    NUCE_OPTION_TEXT,       /* const char *: as given, borrowed; only from command lines */
};

#define NUCE_NAME_BYTES 65
#define NUCE_PATH_BYTES 1024

/* Declares the member of a row of that type, for structs made from rows. */
#define NUCE_OPTION_MEMBER_CHOICE(member) char member[NUCE_NAME_BYTES];
#define NUCE_OPTION_MEMBER_FILE(member) char member[NUCE_PATH_BYTES];
#define NUCE_OPTION_MEMBER_LIST(member) char member[NUCE_PATH_BYTES];
#define NUCE_OPTION_MEMBER_COUNT(member) int64_t member;
#define NUCE_OPTION_MEMBER_REAL(member) double member;
#define NUCE_OPTION_MEMBER_DURATION(member) double member;
#define NUCE_OPTION_MEMBER_FLAG(member) int member;
#define NUCE_OPTION_MEMBER_WORD(member) int member;

enum {
    NUCE_OPTION_COSTLY =
        1, /* changing it means a costly set-up: keep points that share it together */
    NUCE_OPTION_COUNTED = 2,     /* an index: in a sweep NAMEs: N means NAME: 0 .. N - 1 */
    NUCE_OPTION_MESH = 4,        /* a FILE that may also be the name of a mesh that nuce ships */
    NUCE_OPTION_NETWORK = 8,     /* a FILE that may also be the name of a network preset */
    NUCE_OPTION_TUNING = 16,     /* used by some schedules; absent from points of the others */
    NUCE_OPTION_POSITIVE = 32,   /* REAL and DURATION: more than 0 */
    NUCE_OPTION_RUN = 64,        /* no effect on a model: used only when the point is run */
    NUCE_OPTION_DRAWN = 256,     /* of randomly drawn networks */
    NUCE_OPTION_AUTO = 128,      /* a COUNT that may also be "auto", stored as 0 */
    NUCE_OPTION_MODEL = 1024,    /* used by a model alone, not by runs */
    NUCE_OPTION_EXCHANGE = 2048, /* of the messages between parts of an array, not of the array */
    NUCE_OPTION_CAMPAIGN = 4096, /* of campaigns: nothing that one start of a program could do */
    NUCE_OPTION_COMPARED = 512,  /* what points of one instance differ in: one row of a workload */
    NUCE_OPTION_RACED = 8192,    /* may be compared too: says how, not what */
    NUCE_OPTION_TUNED = 16384,   /* its values are what TUNING is of: compared with it */
    NUCE_OPTION_LAUNCH = 32768,  /* no member of params: how processes are started */
    NUCE_OPTION_IF_SET = 65536,  /* says nothing unless it is set: the same point without it */
    NUCE_OPTION_GENERATOR = 131072, /* of those generators of patterns that name it */
    NUCE_OPTION_HIDDEN = 262144,    /* not in --help: for nuce's own programs */
};

/* A row, static; a table ends with one whose name is NULL. */
struct nuce_option {
    const char *name; /* sweep key, --name and canonical key; stored in results, never reused */
    enum nuce_option_type type;
    size_t offset;        /* offset of the member in the struct of parameters */
    const char *preset;   /* the default as text; NULL: none, the member is then unset (all zero) */
    const char *argument; /* name of the value in --help; NULL for a flag */
    const char *help;
    unsigned flags;
    double minimum; /* smallest number allowed (COUNT, BYTES, REAL, DURATION) */
    /* The index-th valid name of a CHOICE, or the index-th word that a FILE or LIST also accepts;
     * NULL past the end. NULL: there are none, or for a MESH the shipped ones. */
    const char *(*choices)(size_t index);
    char letter;              /* the short form on a command line; 0: none */
    size_t room;              /* size of a LIST longer than NUCE_PATH_BYTES; 0: NUCE_PATH_BYTES */
    const char *const *words; /* all names, NULL-ended, in place of choices */
    unsigned uses;  /* TUNING: the bit of the schedules that use it (schedules/schedule.h) */
    const char *of; /* the value of `pattern` that it is for; NULL: any */
};

/* A row; other members, such as .flags = NUCE_OPTION_RUN, follow the help. Tables end with a row
 * whose name is NULL. */
#define NUCE_OPTION(type_, name_, offset_, preset_, argument_, help_, ...)                         \
    {                                                                                              \
        .name = name_, .type = NUCE_OPTION_##type_, .offset = offset_, .preset = preset_,          \
        .argument = argument_, .help = help_, __VA_ARGS__                                          \
    }

/* The row whose values are compared with one another by default (NUCE_OPTION_COMPARED); NULL: the
 * table has none. */
const struct nuce_option *nuce_option_compared(const struct nuce_option *table);

/* True if contenders of one instance may differ in the option: it does not change the task. */
int nuce_option_may_race(const struct nuce_option *option);

/* True if contenders differ in the option according to compare: an array of names, or NULL for the
 * default, the compared row and the tuning that belongs to its values. */
int nuce_option_is_compared(const struct nuce_option *option, const json_t *compare);

/* The part of params (borrowed; name -> value) that defines the instance: without the options in
 * which its contenders differ. A new reference, whose values are shared with params. */
json_t *nuce_option_instance(const struct nuce_option *table, json_t *params,
                             const json_t *compare);

/* The text that follows the name of a removed option, such as "algorithm", in a message; NULL:
 * there never was an option called name. */
const char *nuce_option_ended(const char *name);

/* The index-th of the names that choices or words give, all before it having been asked for; NULL
 * past the end, or if there are none. */
const char *nuce_option_choice(const struct nuce_option *option, size_t index);

/* The row called name, or NULL. */
const struct nuce_option *nuce_option_find(const struct nuce_option *table, const char *name);

/* Sets every member of params that has a preset. A bad preset is a bug. */
void nuce_option_presets(const struct nuce_option *table, void *params);

/* Parses text into the member. NUCE_BAD_INPUT names the option, the value, the expected form and,
 * for a CHOICE, the nearest name. */
nuce_status nuce_option_set(const struct nuce_option *option, void *params, const char *text,
                            struct nuce_error *error);

/* The member as JSON (a new reference): numbers in bytes and seconds, flags as booleans. */
json_t *nuce_option_json(const struct nuce_option *option, const void *params);

/* Sets the member from JSON as nuce_option_json writes it, or from a string as users write it. */
nuce_status nuce_option_set_json(const struct nuce_option *option, void *params,
                                 const json_t *value, struct nuce_error *error);

/* True if the member differs from the preset. An unset member of a row without preset: false. */
int nuce_option_is_set(const struct nuce_option *option, const void *params);

#endif
