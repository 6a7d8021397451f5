/* Of MPI_Comm_group come all, of MPI_Group_incl those that it lists. What other calls make is not
 * followed, so that the communicators that are made of it are not, either. A rank's groups in a
 * list, searched from its end: there are few, and numbers are used again. */
#include "imports/dumpi_groups.h"

#include <stdlib.h>
#include <string.h>

#include "imports/dumpi_calls.h"
#include "support/allocate.h"

/* The latest group of that number; NULL: none was noted. */
static const struct nuce_dumpi_places *latest_places(const struct nuce_dumpi_groups *groups,
                                                     int64_t number)
{
    for (int64_t i = groups->count - 1; i >= 0; i--) {
        if (groups->places[i].number == number)
            return &groups->places[i];
    }
    return NULL;
}

/* Adds a group and takes over places.list, which it frees on failure. */
static nuce_status add_places(struct nuce_dumpi_groups *groups, struct nuce_dumpi_places places,
                              struct nuce_error *error)
{
    void *list = groups->places;

    if (nuce_allocate_more(&list, &groups->capacity, groups->count + 1, sizeof *groups->places,
                           error) != NUCE_OK) {
        free(places.list);
        return error->status;
    }
    groups->places = list;
    groups->places[groups->count++] = places;
    return NUCE_OK;
}

/* places->list has ranks of the old group; they become ranks of the old group's communicator. comm
 * becomes -1 (not known) where the old group is not, or has no such rank. */
static void choose_places(const struct nuce_dumpi_places *old, struct nuce_dumpi_places *places)
{
    places->comm = old == NULL ? -1 : old->comm;
    for (int64_t i = 0; i < places->count && places->comm >= 0; i++) {
        int64_t place = places->list[i];

        if (place < 0 || (old->list != NULL && place >= old->count))
            places->comm = -1;
        else if (old->list != NULL)
            places->list[i] = old->list[place];
    }
}

nuce_status nuce_dumpi_note_group(struct nuce_dumpi_groups *groups,
                                  const struct nuce_dumpi_stream *stream,
                                  const struct nuce_dumpi_call *call, struct nuce_error *error)
{
    struct nuce_dumpi_places places = {.comm = -1};
    int is_of_comm = strcmp(call->name, "MPI_Comm_group") == 0;
    int64_t old = 0;

    if (is_of_comm) {
        if (nuce_dumpi_integer(stream, call, "comm", &places.comm, error) != NUCE_OK)
            return error->status;
    } else if (nuce_dumpi_find(call, "newgroup") == NULL) {
        return NUCE_OK;
    }
    if (nuce_dumpi_integer(stream, call, is_of_comm ? "group" : "newgroup", &places.number,
                           error) != NUCE_OK)
        return error->status;
    if (strcmp(call->name, "MPI_Group_incl") == 0) {
        if (nuce_dumpi_integer(stream, call, "group", &old, error) != NUCE_OK ||
            nuce_dumpi_list(stream, call, "ranks", &places.list, &places.count, error) != NUCE_OK)
            return error->status;
        choose_places(places.list == NULL ? NULL : latest_places(groups, old), &places);
    }
    return add_places(groups, places, error);
}

/* A creation keeps a copy, for the group may be freed and its number used again before all ranks'
 * files are read. */
nuce_status nuce_dumpi_copy_group(const struct nuce_dumpi_groups *groups, int64_t number,
                                  struct nuce_dumpi_places *out, struct nuce_error *error)
{
    const struct nuce_dumpi_places *places = latest_places(groups, number);

    *out = (struct nuce_dumpi_places){.number = number, .comm = -1};
    if (places == NULL)
        return NUCE_OK;
    if (places->list != NULL) {
        out->list = nuce_allocate(places->count, sizeof *out->list, error);
        if (out->list == NULL)
            return error->status;
        memcpy(out->list, places->list, (size_t)places->count * sizeof *out->list);
    }
    out->comm = places->comm;
    out->count = places->count;
    return NUCE_OK;
}

void nuce_dumpi_groups_fini(struct nuce_dumpi_groups *groups)
{
    for (int64_t i = 0; i < groups->count; i++)
        free(groups->places[i].list);
    free(groups->places);
    *groups = (struct nuce_dumpi_groups){.count = 0};
}
