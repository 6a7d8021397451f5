/* A sweep file's events, printed anew: that drops the comments, in which anything may stand.
 * libyaml's parser gives events and its emitter takes them, so the file stays the same YAML in
 * another layout; scalars are changed on the way, and the value of the key `slurm`, how and as whom
 * it is to be submitted, is left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "bundle/anonymous.h"

/* Where in the file an event is. */
struct sweep_place {
    int depth;     /* of mappings and sequences */
    int is_value;  /* at depth 2, in the file's mapping: what comes next is a value */
    int is_slurm;  /* inside the value of the key slurm */
    int is_before; /* the key slurm has just been seen */
};

static int is_start(const yaml_event_t *event)
{
    return event->type == YAML_MAPPING_START_EVENT || event->type == YAML_SEQUENCE_START_EVENT;
}

static int is_end(const yaml_event_t *event)
{
    return event->type == YAML_MAPPING_END_EVENT || event->type == YAML_SEQUENCE_END_EVENT;
}

/* Whether the event is part of the value of slurm, which is left out; *place goes on. Keys and
 * values of a mapping come in turns, so at depth 1 is_value flips with every value that has
 * ended. */
static int sweep_leaves_out(struct sweep_place *place, const yaml_event_t *event)
{
    int in_slurm;

    if (is_end(event))
        place->depth--;
    if (place->depth == 1 && place->is_value && !is_end(event) && !place->is_slurm)
        place->is_slurm = place->is_before;
    in_slurm = place->is_slurm;
    if (place->depth == 1 &&
        (event->type == YAML_SCALAR_EVENT || is_end(event) || event->type == YAML_ALIAS_EVENT)) {
        place->is_before = !place->is_value && event->type == YAML_SCALAR_EVENT &&
                           strcmp((const char *)event->data.scalar.value, "slurm") == 0;
        place->is_value = !place->is_value;
        place->is_slurm = 0;
    }
    if (is_start(event))
        place->depth++;
    return in_slurm;
}

/* A scalar that is one path, blanks and all. A new string; NULL when out of memory. */
static char *change_path(struct nuce_pseudonyms *pseudonyms, const char *path)
{
    const char *stands = nuce_pseudonyms_add(pseudonyms, NUCE_PSEUDONYM_PATH, path);

    return stands != NULL ? strdup(stands) : NULL;
}

/* The scalar with names and paths replaced. Anchor, tag and style stay. 0: out of memory, or
 * libyaml does not take it. */
static int change_scalar(yaml_event_t *event, struct nuce_pseudonyms *pseudonyms)
{
    const char *value = (const char *)event->data.scalar.value;
    char *text = value[0] == '/' || value[0] == '~' ? change_path(pseudonyms, value)
                                                    : nuce_pseudonyms_text(pseudonyms, value);
    yaml_event_t changed;
    int good = text != NULL &&
               yaml_scalar_event_initialize(
                   &changed, event->data.scalar.anchor, event->data.scalar.tag, (yaml_char_t *)text,
                   (int)strlen(text), event->data.scalar.plain_implicit,
                   event->data.scalar.quoted_implicit, event->data.scalar.style);

    free(text);
    if (good) {
        yaml_event_delete(event);
        *event = changed;
    }
    return good;
}

/* An empty mapping in place of the section. */
static int emit_nothing(yaml_emitter_t *emitter)
{
    yaml_event_t event;

    return yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_FLOW_MAPPING_STYLE) &&
           yaml_emitter_emit(emitter, &event) && yaml_mapping_end_event_initialize(&event) &&
           yaml_emitter_emit(emitter, &event);
}

/* From the parser to the emitter, event by event, which each is given to or deleted here. 0: one of
 * them failed. */
static int copy_events(yaml_parser_t *parser, yaml_emitter_t *emitter,
                       struct nuce_pseudonyms *pseudonyms)
{
    struct sweep_place place = {0};
    int is_over = 0, was_slurm = 0;

    while (!is_over) {
        yaml_event_t event;
        int left_out, good = 1;

        if (!yaml_parser_parse(parser, &event))
            return 0;
        is_over = event.type == YAML_STREAM_END_EVENT;
        left_out = sweep_leaves_out(&place, &event);
        if (left_out && !was_slurm)
            good = emit_nothing(emitter);
        was_slurm = left_out && place.is_slurm;
        if (!left_out && event.type == YAML_SCALAR_EVENT)
            good = change_scalar(&event, pseudonyms);
        if (left_out || !good)
            yaml_event_delete(&event);
        else
            good = yaml_emitter_emit(emitter, &event); /* which takes the event */
        if (!good)
            return 0;
    }
    return 1;
}

char *nuce_anonymous_sweep(const char *text, size_t length, struct nuce_pseudonyms *pseudonyms,
                           size_t *changed, struct nuce_error *error)
{
    enum { WIDTH = 100 };
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    char *out = NULL;
    FILE *stream = open_memstream(&out, changed);
    int good = 0;

    if (stream == NULL || !yaml_parser_initialize(&parser)) {
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a sweep");
        return NULL;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (yaml_emitter_initialize(&emitter)) {
        yaml_emitter_set_output_file(&emitter, stream);
        yaml_emitter_set_unicode(&emitter, 1);
        yaml_emitter_set_width(&emitter, WIDTH);
        good = copy_events(&parser, &emitter, pseudonyms);
        yaml_emitter_delete(&emitter);
    }
    yaml_parser_delete(&parser);
    if (fclose(stream) == 0 && good)
        return out;
    free(out);
    (void)nuce_error_set(error, NUCE_BAD_INPUT, "cannot be written anew as YAML");
    return NULL;
}
