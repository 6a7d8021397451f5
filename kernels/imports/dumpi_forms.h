/* The forms of a trace of sst-dumpi, behind what dumpi_calls.h says of all: dumpi_forms.def. */
#ifndef NUCE_DUMPI_FORMS_H
#define NUCE_DUMPI_FORMS_H

#include "imports/dumpi_stream.h"

struct nuce_dumpi_form {
    int names_datatypes;
    int (*recognises)(const char *text, size_t length);
    /* The scanner is at the file's beginning; NULL: nothing is to be done. */
    nuce_status (*open)(struct nuce_dumpi_stream *stream, struct nuce_error *error);
    nuce_status (*tell)(struct nuce_dumpi_stream *stream,
                        const struct nuce_dumpi_listener *listener, struct nuce_error *error);
    /* With the times of the file. *out is empty. */
    nuce_status (*next)(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out, int *found,
                        struct nuce_error *error);
    nuce_status (*refuse)(const struct nuce_dumpi_stream *stream, const char *where,
                          const char *message, struct nuce_error *error);
    /* Of an argument; 0: it is none. Numbers are room for most_numbers of it. */
    int (*number)(const struct nuce_dumpi_argument *argument, int64_t *out);
    int64_t (*most_numbers)(const struct nuce_dumpi_argument *argument);
    int (*numbers)(const struct nuce_dumpi_argument *argument, int64_t *out, int64_t *count);
    int (*status)(const struct nuce_dumpi_argument *argument, int64_t index, int64_t *source,
                  int64_t *tag);
};

#define X(name) extern const struct nuce_dumpi_form nuce_##name;
#include "imports/dumpi_forms.def"
#undef X

#endif
