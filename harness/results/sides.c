/* The meaning of the user's two words for a comparison. A word alone may be a campaign, an
 * environment, a contender or a library. It is looked up as each, and if it is more than one, the
 * message shows how to choose.
 *
 * Order: looking one word up in one class; a word; several words with commas, of one class; a side;
 * both sides, which must be of one class and have nothing in common. There is no guessing: a word
 * with two meanings, and a beginning that two ids share, is refused. */
#include "results/sides.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/text.h"

const char *const nuce_side_classes[] = {"campaign", "environment", "contender",
                                         "way",      "file",        NULL};

/* The ids that the given word names, as `id`, in the order of the classes. */
static const char *const queries[] = {
    "SELECT id FROM campaign, given WHERE id = word",
    "SELECT id FROM environment, given WHERE substr(id, 1, length(word)) = word ORDER BY id",
    "SELECT DISTINCT contender AS id FROM entered, given WHERE contender = word",
    /* A library by its name alone. ~ is a sweep's notation for a variable that is not set. */
    "SELECT DISTINCT e.key || '=' || coalesce(e.value, '~') AS id FROM given, entered AS p,"
    " json_each(p.problem) AS e WHERE e.key || '=' || coalesce(e.value, '~') = word"
    " OR (e.key = 'mpi' AND e.value = word)",
    /* Files are in no database. */
    "SELECT NULL AS id WHERE 0",
};

/* Bytes of one name, including its end: more than any campaign, contender or setting has. */
#define LONGEST_WORD 512

/* A new array of the ids of class that word names, or NULL with *error. campaign: the one that
 * contenders and ways are looked up in; NULL: all. */
static json_t *sides_look_up(struct nuce_store *store, enum nuce_side_class class, const char *word,
                             const char *campaign, struct nuce_error *error)
{
    char *text = nuce_store_text(
        store, error,
        "WITH given (word, campaign) AS (VALUES (%Q, %Q)), entered AS (SELECT p.contender,"
        " p.problem FROM point AS p, given AS g WHERE g.campaign IS NULL"
        " OR p.id IN (SELECT point FROM run WHERE campaign = g.campaign))"
        " SELECT json_group_array(id) FROM (%s)",
        word, campaign, queries[class]);
    json_t *ids = text == NULL ? NULL : json_loads(text, 0, NULL);

    if (text != NULL && ids == NULL)
        nuce_error_set(error, NUCE_FAILED, "%s: a name that is not valid UTF-8", store->path);
    free(text);
    return ids;
}

/* "CLASS:NAME": sets *class and moves *word after the colon; else leaves both unchanged. */
static void take_class(const char **word, enum nuce_side_class *class)
{
    for (int i = 0; nuce_side_classes[i] != NULL; i++) {
        size_t length = strlen(nuce_side_classes[i]);

        if (strncmp(*word, nuce_side_classes[i], length) == 0 && (*word)[length] == ':') {
            *class = (enum nuce_side_class)i;
            *word += length + 1;
            return;
        }
    }
}

/* The name of a campaign whose folder is path, cut at the end in place. */
static const char *last_part(char *path)
{
    size_t length = strlen(path);
    char *slash;

    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    slash = strrchr(path, '/');
    return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

/* Finds the one meaning of a word: its class, and its id appended to ids. A campaign may be given
 * by the path of its folder, as in other subcommands; this changes text. */
static nuce_status find_word(struct nuce_store *store, char *text, const char *campaign,
                             enum nuce_side_class *class, json_t *ids, struct nuce_error *error)
{
    enum nuce_side_class wanted = NUCE_SIDE_CLASSES, found = NUCE_SIDE_CLASSES;
    const char *word = text;

    take_class(&word, &wanted);
    if (*word == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': a name is missing", text);
    for (int i = 0; i < NUCE_SIDE_CLASSES; i++) {
        json_t *these;

        if (wanted != NUCE_SIDE_CLASSES && wanted != (enum nuce_side_class)i)
            continue;
        /* Fewer digits are likely something else: `ac` is a schedule. */
        if (wanted != NUCE_SIDE_ENVIRONMENT && i == NUCE_SIDE_ENVIRONMENT && strlen(word) < 4)
            continue;
        these = sides_look_up(store, (enum nuce_side_class)i,
                              i == NUCE_SIDE_CAMPAIGN ? last_part((char *)word) : word, campaign,
                              error);
        if (these == NULL)
            return error->status;
        if (json_array_size(these) > 0 && found != NUCE_SIDE_CLASSES)
            nuce_error_set(error, NUCE_BAD_INPUT, "'%s' is both %s and %s: write %s:%s or %s:%s",
                           word, nuce_side_classes[found], nuce_side_classes[i],
                           nuce_side_classes[found], word, nuce_side_classes[i],
                           i == NUCE_SIDE_WAY ? json_string_value(json_array_get(these, 0)) : word);
        else if (json_array_size(these) > 1)
            nuce_error_set(
                error, NUCE_BAD_INPUT,
                "'%s': the ids of %zu environments begin with it, such as %.12s and %.12s: "
                "see 'nuce show environments'",
                word, json_array_size(these), json_string_value(json_array_get(these, 0)),
                json_string_value(json_array_get(these, 1)));
        else if (json_array_size(these) == 1) {
            found = (enum nuce_side_class)i;
            json_array_extend(ids, these);
        }
        json_decref(these);
        if (error->status != NUCE_OK)
            return error->status;
    }
    *class = found;
    if (found != NUCE_SIDE_CLASSES)
        return NUCE_OK;
    if (wanted != NUCE_SIDE_CLASSES)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': no such %s in %s", word,
                              nuce_side_classes[wanted], store->path);
    return nuce_error_set(
        error, NUCE_BAD_INPUT,
        "'%s': expected a campaign ('nuce show campaigns'), four digits or more of an "
        "environment's id ('nuce show environments'), a schedule, decomposition or placement "
        "with results ('nuce show points'), or a setting of a sweep, such as mpi=openmpi, in %s",
        word, campaign != NULL ? campaign : store->path);
}

/* Finds all words of text, of one class. Several campaigns or environments are allowed, and their
 * launches count together. Several contenders or ways are not, because the mean of two of them
 * would compare nothing. KEY=VALUE is taken whole, as its value may have commas. */
static nuce_status find_words(struct nuce_store *store, const char *text, const char *campaign,
                              json_t *ids, enum nuce_side_class *class, struct nuce_error *error)
{
    char word[LONGEST_WORD];
    enum nuce_side_class this = NUCE_SIDE_CLASSES;
    int is_setting = strcspn(text, "=") < strcspn(text, ",");
    nuce_status status = NUCE_OK;

    for (const char *at = text; status == NUCE_OK && at != NULL;) {
        size_t length = strcspn(at, is_setting ? "" : ",");

        if (length >= sizeof word)
            return nuce_error_set(error, NUCE_BAD_INPUT, "'%.40s...': too long for a name", at);
        memcpy(word, at, length);
        word[length] = '\0';
        status = find_word(store, word, campaign, &this, ids, error);
        if (status == NUCE_OK && at != text && this != *class)
            status =
                nuce_error_set(error, NUCE_BAD_INPUT,
                               "'%s': expected names of one kind: %s is %s, the name before it %s",
                               text, word, nuce_side_classes[this], nuce_side_classes[*class]);
        *class = this;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    if (status == NUCE_OK && (*class == NUCE_SIDE_CONTENDER || *class == NUCE_SIDE_WAY) &&
        json_array_size(ids) > 1)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected one %s", text,
                                nuce_side_classes[*class]);
    return status;
}

/* Characters of an environment's id in tables. */
#define SHORT_ID 8

/* Names for people, in tables and messages, so they are safe on a terminal. */
nuce_status nuce_side_find(struct nuce_store *store, const char *text, const char *campaign,
                           struct nuce_side *out, struct nuce_error *error)
{
    json_t *ids = json_array();
    struct nuce_side side = {.class = NUCE_SIDE_CLASSES};
    nuce_status status = find_words(store, text, campaign, ids, &side.class, error);
    const json_t *id;
    size_t i;

    if (status == NUCE_OK) {
        side.count = (int)json_array_size(ids);
        side.ids = json_dumps(ids, JSON_COMPACT);
        json_array_foreach(ids, i, id)
        {
            int most = side.class == NUCE_SIDE_ENVIRONMENT ? SHORT_ID : (int)json_string_length(id);

            nuce_text_append(&side.name, "%s%.*s", i > 0 ? ", " : "", most, json_string_value(id));
        }
        nuce_printable_make(side.name);
        /* The key that a way sets: for "mpi=openmpi" "mpi". */
        if (side.class == NUCE_SIDE_WAY)
            snprintf(side.key, sizeof side.key, "%.*s", (int)strcspn(side.name, "="), side.name);
        *out = side;
    }
    json_decref(ids);
    return status;
}

void nuce_side_fini(struct nuce_side *side)
{
    free(side->ids);
    free(side->name);
    free(side->again);
    *side = (struct nuce_side){0};
}

/* A campaign on both sides would be compared partly with itself. So A and B share no launch: each
 * number is compared with another. Both arrays were made by nuce_side_find. */
static nuce_status check_sides(const struct nuce_side *a, const struct nuce_side *b,
                               struct nuce_error *error)
{
    json_t *a_ids, *b_ids, *left, *right;
    size_t i, j;

    if (a->class != b->class)
        return nuce_error_set(error, NUCE_BAD_INPUT, "A is %s and B %s: expected two of a kind",
                              nuce_side_classes[a->class], nuce_side_classes[b->class]);
    if (strcmp(a->key, b->key) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "A is a value of %s and B one of %s: expected values of one key",
                              a->key, b->key);
    error->status = NUCE_OK;
    a_ids = json_loads(a->ids, 0, NULL);
    b_ids = json_loads(b->ids, 0, NULL);
    json_array_foreach(a_ids, i, left)
    {
        json_array_foreach(b_ids, j, right)
        {
            if (error->status == NUCE_OK && json_equal(left, right))
                nuce_error_set(error, NUCE_BAD_INPUT, "%s %s is in both A and B",
                               nuce_side_classes[a->class], json_string_value(left));
        }
    }
    json_decref(a_ids);
    json_decref(b_ids);
    return error->status;
}

nuce_status nuce_sides_find(struct nuce_store *store, const char *a_text, const char *b_text,
                            const char *campaign, struct nuce_side *a, struct nuce_side *b,
                            struct nuce_error *error)
{
    struct nuce_side first = {0}, second = {0};
    nuce_status status = nuce_side_find(store, a_text, campaign, &first, error);
    int are_short;

    if (status == NUCE_OK)
        status = nuce_side_find(store, b_text, campaign, &second, error);
    if (status == NUCE_OK)
        status = check_sides(&first, &second, error);
    if (status != NUCE_OK) {
        nuce_side_fini(&first);
        nuce_side_fini(&second);
        return status;
    }
    /* Names that fit the head of a column and differ. */
    are_short = first.count == 1 && strlen(first.name) < sizeof first.label && second.count == 1 &&
                strlen(second.name) < sizeof second.label && strcmp(first.name, second.name) != 0;
    nuce_text_copy(first.label, sizeof first.label, are_short ? first.name : "A");
    nuce_text_copy(second.label, sizeof second.label, are_short ? second.name : "B");
    *a = first;
    *b = second;
    return NUCE_OK;
}
