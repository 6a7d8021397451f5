/* The forms of a trace of sst-dumpi, behind what dumpi_calls.h says of all: dumpi_forms.def. */
#ifndef NUCE_DUMPI_FORMS_H
#define NUCE_DUMPI_FORMS_H

#include "imports/dumpi_stream.h"

/* The reader of one form. All functions leave messages in *error by `refuse`. */
struct nuce_dumpi_form {
    int names_datatypes; /* 1: arguments of the form hold names, `14 (MPI_DOUBLE)` */
    int (*recognises)(const char *text, size_t length);
    /* Sets what stream has of the form. The scanner is at the file's beginning and is left where
     * the first call is read from. NULL: nothing is to be done. */
    nuce_status (*open)(struct nuce_dumpi_stream *stream, struct nuce_error *error);
    /* Tells the listener what the file says beside its calls, and leaves the stream as it was. */
    nuce_status (*tell)(struct nuce_dumpi_stream *stream,
                        const struct nuce_dumpi_listener *listener, struct nuce_error *error);
    /* The next call, with the times of the file, to *out, which is empty before. *found is 0 before
     * and stays so behind the last call. */
    nuce_status (*next)(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out, int *found,
                        struct nuce_error *error);
    /* NUCE_BAD_INPUT with the file's name and the place of `where` (a pointer into the file). */
    nuce_status (*refuse)(const struct nuce_dumpi_stream *stream, const char *where,
                          const char *message, struct nuce_error *error);
    /* Of an argument; 0: it is none of that kind. `numbers` writes all of a list to out, which has
     * room for most_numbers of it; `status` reads the index-th of a list of statuses (or, of a
     * text, of the one). Not one of them fails with a message: the caller knows what was
     * expected. */
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
