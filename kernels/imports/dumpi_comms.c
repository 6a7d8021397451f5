/* Who is in which communicator, from the traces of all ranks: the first of two passes.
 *
 * The problem: a rank's trace says `MPI_Comm_split(parent 2, color 1) = 5`, and the numbers are the
 * rank's own. Who else is in 5 follows from what all members of 2 said in the same call.
 *
 * Steps: each file is read once, and its calls that make a communicator are listed (creations).
 * Then ranks go through their lists as MPI would: a creation is settled when the next one of every
 * member of its parent is from that parent. All of them make communicators of one parent in the
 * same order, for the calls are collective over it (MPI 4.1, 7.4), so the n-th of one rank is the
 * n-th of all. Those of different parents may interleave in different ways, so it goes round over
 * the ranks until nothing moves. What never moves (a trace that is cut) stays unknown and is
 * counted as not captured.
 *
 * Cost: O(bytes of the files) to read; each round looks at the members of a parent, so O(c s) for c
 * creations of s members where all ranks make them in one order, and more where they do not.
 *
 * Limits: MPI_Intercomm_merge and what comes of it, grids of more than NUCE_DUMPI_MOST_DIMENSIONS
 * dimensions, groups of ranges and of set operations. MPI_Cart_create is read as keeping the order
 * of ranks, which holds without `reorder`. */
#include "imports/dumpi_comms.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

/* How the members of a new communicator follow from the call. */
enum creation_way {
    CREATION_SAME,    /* the members of the parent, but for those who get MPI_COMM_NULL */
    CREATION_SPLIT,   /* by color, in the order of key (MPI_Comm_split) */
    CREATION_PART,    /* those who stand on one line of a grid, or plane, or more */
    CREATION_GROUP,   /* those of a group, in its order */
    CREATION_UNKNOWN, /* not followed, but its number is noted */
};

static const struct {
    const char *name;
    enum creation_way way;
} creation_calls[] = {
    {"MPI_Comm_dup", CREATION_SAME},           {"MPI_Cart_create", CREATION_SAME},
    {"MPI_Graph_create", CREATION_SAME},       {"MPI_Comm_split", CREATION_SPLIT},
    {"MPI_Cart_sub", CREATION_PART},           {"MPI_Comm_create", CREATION_GROUP},
    {"MPI_Intercomm_merge", CREATION_UNKNOWN},
};

/* The row of creation_calls; -1: the call makes no communicator. */
static int creation_row(const struct nuce_dumpi_call *call)
{
    for (size_t i = 0; i < sizeof creation_calls / sizeof *creation_calls; i++) {
        if (strcmp(call->name, creation_calls[i].name) == 0)
            return (int)i;
    }
    return -1;
}

int nuce_dumpi_is_creation(const struct nuce_dumpi_call *call)
{
    return creation_row(call) >= 0;
}

/* The listener's: the host's name, cut to what there is room for. */
static void hear_host(void *context, const char *name, size_t length)
{
    struct nuce_dumpi_rank *rank = context;

    length = length < sizeof rank->host - 1 ? length : sizeof rank->host - 1;
    memcpy(rank->host, name, length);
    rank->host[length] = '\0';
}

static nuce_status hear_size(void *context, int64_t datatype, int64_t bytes,
                             struct nuce_error *error)
{
    struct nuce_dumpi_rank *rank = context;

    /* Of those that were not used a trace says 0. */
    if (bytes == 0 && datatype < NUCE_DUMPI_FIRST_OWN_DATATYPE)
        return NUCE_OK;
    return nuce_dumpi_note_size(&rank->types, datatype, bytes, error);
}

/* What is known of the rank before its calls are read: its host, sizes of datatypes. */
static nuce_status hear_file(struct nuce_dumpi_rank *rank, struct nuce_dumpi_stream *stream,
                             struct nuce_error *error)
{
    const struct nuce_dumpi_listener listener = {
        .context = rank, .host = hear_host, .size = hear_size};

    if (!nuce_dumpi_names_datatypes(stream) &&
        nuce_dumpi_note_fixed(&rank->types, error) != NUCE_OK)
        return error->status;
    return nuce_dumpi_tell(stream, &listener, error);
}

/* The list of that name becomes the grid's sides, if the call has it; more than
 * NUCE_DUMPI_MOST_DIMENSIONS sides make none. */
static nuce_status note_grid(const struct nuce_dumpi_stream *stream,
                             const struct nuce_dumpi_call *call, const char *name,
                             struct nuce_dumpi_grid *grid, struct nuce_error *error)
{
    int64_t *sides, count;

    if (nuce_dumpi_list(stream, call, name, &sides, &count, error) != NUCE_OK)
        return error->status;
    for (int64_t i = 0; count <= NUCE_DUMPI_MOST_DIMENSIONS && i < count; i++)
        grid->sides[grid->dimensions++] = sides[i];
    free(sides);
    return NUCE_OK;
}

/* The group that the call names, as the rank's groups are now: its number may stand for another one
 * later. */
static nuce_status note_places(const struct nuce_dumpi_stream *stream,
                               const struct nuce_dumpi_rank *rank,
                               const struct nuce_dumpi_call *call,
                               struct nuce_dumpi_creation *creation, struct nuce_error *error)
{
    int64_t number;

    if (nuce_dumpi_integer(stream, call, "group", &number, error) != NUCE_OK)
        return error->status;
    return nuce_dumpi_copy_group(&rank->groups, number, &creation->places, error);
}

/* What the call says of it: numbers of parent and new communicator, and by its way color and key,
 * the group, or the grid. */
static nuce_status read_creation(const struct nuce_dumpi_stream *stream,
                                 const struct nuce_dumpi_rank *rank,
                                 const struct nuce_dumpi_call *call,
                                 struct nuce_dumpi_creation *creation, struct nuce_error *error)
{
    const char *parent = strcmp(call->name, "MPI_Intercomm_merge") == 0 ? "comm" : "oldcomm";

    if (nuce_dumpi_integer(stream, call, parent, &creation->parent, error) != NUCE_OK ||
        nuce_dumpi_integer(stream, call, "newcomm", &creation->made, error) != NUCE_OK)
        return error->status;
    if (creation->way == CREATION_SPLIT &&
        (nuce_dumpi_integer(stream, call, "color", &creation->color, error) != NUCE_OK ||
         nuce_dumpi_integer(stream, call, "key", &creation->key, error) != NUCE_OK))
        return error->status;
    if (creation->way == CREATION_GROUP &&
        note_places(stream, rank, call, creation, error) != NUCE_OK)
        return error->status;
    return note_grid(stream, call, creation->way == CREATION_PART ? "remain_dims" : "dims",
                     &creation->grid, error);
}

/* Adds the call to the rank's creations, its group not known yet. */
static nuce_status note_creation(const struct nuce_dumpi_stream *stream,
                                 struct nuce_dumpi_rank *rank, const struct nuce_dumpi_call *call,
                                 struct nuce_error *error)
{
    struct nuce_dumpi_creation *creation;
    void *list = rank->creations;

    if (nuce_allocate_more(&list, &rank->creation_capacity, rank->creation_count + 1,
                           sizeof *rank->creations, error) != NUCE_OK)
        return error->status;
    rank->creations = list;
    creation = &rank->creations[rank->creation_count++];
    *creation = (struct nuce_dumpi_creation){.way = (int)creation_calls[creation_row(call)].way,
                                             .group = -1};
    return read_creation(stream, rank, call, creation, error);
}

/* That the file is of this rank and of so many, wherever it calls MPI_Comm_rank or MPI_Comm_size of
 * the world: files given in a wrong order would make wrong messages, not an error. */
static nuce_status check_file_rank(const struct nuce_dumpi_stream *stream,
                                   const struct nuce_dumpi_call *call, int own, int ranks,
                                   struct nuce_error *error)
{
    int is_rank = strcmp(call->name, "MPI_Comm_rank") == 0;
    int64_t comm, value;

    if (!is_rank && strcmp(call->name, "MPI_Comm_size") != 0)
        return NUCE_OK;
    if (nuce_dumpi_integer(stream, call, "comm", &comm, error) != NUCE_OK ||
        nuce_dumpi_integer(stream, call, is_rank ? "rank" : "size", &value, error) != NUCE_OK)
        return error->status;
    if (comm != NUCE_DUMPI_COMM_WORLD || value == (is_rank ? own : ranks))
        return NUCE_OK;
    return is_rank ? nuce_dumpi_refuse(stream, call->place, error,
                                       "rank %lld: is given as rank %d: expected a file for each "
                                       "rank, in their order",
                                       (long long)value, own)
                   : nuce_dumpi_refuse(stream, call->place, error,
                                       "of %lld ranks: expected as many files, %d are given",
                                       (long long)value, ranks);
}

/* The first pass over one file: creations, groups, sizes of datatypes, and whether it has times. */
static nuce_status scan_file(struct nuce_dumpi_world *world, const struct nuce_import_text *file,
                             int own, struct nuce_error *error)
{
    struct nuce_dumpi_rank *rank = &world->rank[own];
    struct nuce_dumpi_stream stream;
    struct nuce_dumpi_call call;
    int found, calls = 0;

    if (nuce_dumpi_open(&stream, file, error) != NUCE_OK ||
        hear_file(rank, &stream, error) != NUCE_OK)
        return error->status;
    for (;; calls++) {
        if (nuce_dumpi_next(&stream, &call, &found, error) != NUCE_OK)
            return error->status;
        if (!found)
            break;
        rank->has_times |= call.return_ns > 0;
        if ((nuce_dumpi_names_datatypes(&stream) &&
             nuce_dumpi_note_named(&rank->types, &call, error) != NUCE_OK) ||
            nuce_dumpi_note_told(&rank->types, &stream, &call, error) != NUCE_OK ||
            nuce_dumpi_note_group(&rank->groups, &stream, &call, error) != NUCE_OK ||
            check_file_rank(&stream, &call, own, world->ranks, error) != NUCE_OK ||
            (nuce_dumpi_is_creation(&call) &&
             note_creation(&stream, rank, &call, error) != NUCE_OK))
            return error->status;
    }
    if (calls == 0)
        return nuce_dumpi_refuse(&stream, stream.scanner.at, error,
                                 "no call of MPI is here: expected a trace of sst-dumpi");
    return NUCE_OK;
}

/* Which group a communicator of a rank stands for while creations are gone through. */
struct comm_entry {
    int64_t number;
    int group; /* index in the world's groups; GROUP_UNKNOWN, GROUP_SELF */
};

/* How far a rank's creations are settled. Those before `at` are; entries has what they made. */
struct comm_cursor_rank {
    struct comm_entry *entries;
    int64_t count, capacity;
    int64_t at; /* next creation */
};

/* No group of the world: not known, or the rank alone, which needs no agreement of others. */
enum { GROUP_UNKNOWN = -1, GROUP_SELF = -2 };

/* What the number stands for after the creations before cursor->at; GROUP_UNKNOWN where nothing is
 * known of it. */
static int made_group_of(const struct comm_cursor_rank *cursor, int64_t number)
{
    if (number == NUCE_DUMPI_COMM_WORLD)
        return 0;
    if (number == NUCE_DUMPI_COMM_SELF)
        return GROUP_SELF;
    for (int64_t i = cursor->count - 1; i >= 0; i--) {
        if (cursor->entries[i].number == number)
            return cursor->entries[i].group;
    }
    return GROUP_UNKNOWN;
}

/* The rank's next creation made that group, and the cursor goes on. A rank that got MPI_COMM_NULL
 * made none, whatever the others made. */
static nuce_status settle_creation(struct nuce_dumpi_rank *rank, struct comm_cursor_rank *cursor,
                                   int group, struct nuce_error *error)
{
    struct nuce_dumpi_creation *creation = &rank->creations[cursor->at++];
    void *list = cursor->entries;

    creation->group = creation->made <= NUCE_DUMPI_COMM_NULL ? GROUP_UNKNOWN : group;
    if (nuce_allocate_more(&list, &cursor->capacity, cursor->count + 1, sizeof *cursor->entries,
                           error) != NUCE_OK)
        return error->status;
    cursor->entries = list;
    cursor->entries[cursor->count++] = (struct comm_entry){creation->made, creation->group};
    return NUCE_OK;
}

/* The index of a new group with room for size members, of which none is set; -1 with *error: no
 * memory. */
static int64_t add_group(struct nuce_dumpi_world *world, int size, struct nuce_error *error)
{
    void *list = world->groups;
    struct nuce_dumpi_group group = {.members = NULL};

    if (nuce_allocate_more(&list, &world->group_capacity, world->group_count + 1,
                           sizeof *world->groups, error) != NUCE_OK)
        return -1;
    world->groups = list;
    group.members = nuce_allocate(size, sizeof *group.members, error);
    if (group.members == NULL)
        return -1;
    world->groups[world->group_count] = group;
    return world->group_count++;
}

/* A member that gets a communicator, for sorting. */
struct chosen_member {
    int64_t color, key;
    int place, rank; /* in the parent; in the world */
};

/* By color, then key, then rank in the parent: the order of MPI_Comm_split. */
static int order_of_chosen(const void *a, const void *b)
{
    const struct chosen_member *x = a, *y = b;

    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place - y->place;
}

/* Whether the creation can be one from that parent, and is followed: a part of a grid needs a
 * parent that has one of as many dimensions. */
static int is_of_parent(const struct nuce_dumpi_creation *creation,
                        const struct nuce_dumpi_group *parent)
{
    if (creation->way == CREATION_PART)
        return parent->grid.dimensions > 0 && parent->grid.dimensions == creation->grid.dimensions;
    return creation->way != CREATION_UNKNOWN;
}

/* The number of the part of a grid in which the place (a rank of the parent) stands: its
 * coordinates that do not remain, as one number in row-major order. Places with the same number are
 * together in one communicator of MPI_Cart_sub. */
static int64_t part_at(const struct nuce_dumpi_grid *grid, const struct nuce_dumpi_grid *remain,
                       int64_t place)
{
    int64_t part = 0, stride = 1;

    for (int i = grid->dimensions - 1; i >= 0; i--) {
        if (remain->sides[i] == 0) {
            part += place % grid->sides[i] * stride;
            stride *= grid->sides[i];
        }
        place /= grid->sides[i];
    }
    return part;
}

/* The grid of what `size` ranks made of a parent with that grid: its own sides (MPI_Cart_create),
 * the sides that remain (MPI_Cart_sub), or the parent's (MPI_Comm_dup). None where they do not
 * multiply to size: then it is a split, say, that lost the grid. */
static struct nuce_dumpi_grid made_grid(const struct nuce_dumpi_creation *creation,
                                        const struct nuce_dumpi_grid *parent, int size)
{
    int is_own = creation->way == CREATION_SAME && creation->grid.dimensions > 0;
    const struct nuce_dumpi_grid *sides = is_own ? &creation->grid : parent;
    struct nuce_dumpi_grid grid = {.dimensions = 0};
    int64_t all = 1;

    for (int i = 0; i < sides->dimensions; i++) {
        int64_t side = sides->sides[i];

        if (creation->way == CREATION_PART && creation->grid.sides[i] == 0)
            continue;
        if (side < 1 || __builtin_mul_overflow(all, side, &all))
            return (struct nuce_dumpi_grid){.dimensions = 0};
        grid.sides[grid.dimensions++] = side;
    }
    return all == size ? grid : (struct nuce_dumpi_grid){.dimensions = 0};
}

/* Whether the next creation of every member of the parent is from this parent, so that all can go
 * on together. *is_one_way: whether they also agree how, and it is one that is followed. */
static int all_are_there(const struct nuce_dumpi_world *world,
                         const struct comm_cursor_rank *cursors, int parent, int *is_one_way)
{
    const struct nuce_dumpi_group *group = &world->groups[parent];
    int way = -1;

    *is_one_way = 1;
    for (int i = 0; i < group->size; i++) {
        const struct nuce_dumpi_rank *rank = &world->rank[group->members[i]];
        const struct comm_cursor_rank *cursor = &cursors[group->members[i]];

        if (cursor->at == rank->creation_count ||
            made_group_of(cursor, rank->creations[cursor->at].parent) != parent)
            return 0;
        *is_one_way &= (way < 0 || way == rank->creations[cursor->at].way) &&
                       is_of_parent(&rank->creations[cursor->at], group);
        way = rank->creations[cursor->at].way;
    }
    return 1;
}

/* Sets keys[world rank] to its place in the group, -1 of those who are not in it. The group is one
 * of ranks of places->comm, which is a number of the rank at `cursor`. 0: that communicator is not
 * known, or has no such place. */
static int key_by_group(const struct nuce_dumpi_world *world, const struct comm_cursor_rank *cursor,
                        const struct nuce_dumpi_places *places, int64_t *keys)
{
    int base = places->comm < 0 ? GROUP_UNKNOWN : made_group_of(cursor, places->comm);
    int64_t count = base < 0 || places->list != NULL ? places->count : world->groups[base].size;

    for (int rank = 0; rank < world->ranks; rank++)
        keys[rank] = -1;
    for (int64_t i = 0; base >= 0 && i < count; i++) {
        int64_t place = places->list == NULL ? i : places->list[i];

        if (place >= world->groups[base].size)
            return 0;
        keys[world->groups[base].members[place]] = i;
    }
    return base >= 0;
}

/* For creations of a group (MPI_Comm_create): the key of each member that gets one becomes its
 * place in the group, so that choose_members sorts them as a split does. One member's group is as
 * good as any other's, for MPI wants them the same. 0: it is not known, or one who got a
 * communicator is not in it. Creations of another way are left alone (1). */
static int set_group_keys(struct nuce_dumpi_world *world, const struct comm_cursor_rank *cursors,
                          int parent, int64_t *keys)
{
    const struct nuce_dumpi_group *group = &world->groups[parent];
    int is_keyed = 0;

    for (int i = 0; i < group->size; i++) {
        int rank = group->members[i];
        struct nuce_dumpi_creation *creation = &world->rank[rank].creations[cursors[rank].at];

        if (creation->way != CREATION_GROUP)
            return 1;
        if (creation->made <= NUCE_DUMPI_COMM_NULL)
            continue;
        if (!is_keyed && !key_by_group(world, &cursors[rank], &creation->places, keys))
            return 0;
        is_keyed = 1;
        creation->key = keys[rank];
        if (creation->key < 0)
            return 0;
    }
    return 1;
}

/* Writes the members of the parent that get a communicator, in the order of order_of_chosen: those
 * of one color, or of one part of the grid, are side by side and in the order of their new ranks.
 * Returns how many. */
static int choose_members(const struct nuce_dumpi_world *world,
                          const struct comm_cursor_rank *cursors, int parent,
                          struct chosen_member *chosen)
{
    const struct nuce_dumpi_group *group = &world->groups[parent];
    int count = 0;

    for (int i = 0; i < group->size; i++) {
        int rank = group->members[i];
        const struct nuce_dumpi_creation *creation = &world->rank[rank].creations[cursors[rank].at];

        int64_t color = creation->way == CREATION_PART ? part_at(&group->grid, &creation->grid, i)
                                                       : creation->color;

        if (creation->made > NUCE_DUMPI_COMM_NULL)
            chosen[count++] = (struct chosen_member){color, creation->key, i, rank};
    }
    if (count > 0)
        qsort(chosen, (size_t)count, sizeof *chosen, order_of_chosen);
    return count;
}

/* Settles the next creation of every member of the parent. is_known: with the groups that they
 * made, one for each color, else as not known. Every cursor of a member goes on by one, whether
 * the creation was understood or not. */
static nuce_status resolve_creation(struct nuce_dumpi_world *world,
                                    struct comm_cursor_rank *cursors, int parent, int is_known,
                                    struct nuce_error *error)
{
    int size = world->groups[parent].size, count;
    struct chosen_member *chosen = nuce_allocate(size, sizeof *chosen, error);
    int *made = nuce_allocate(size, sizeof *made, error);
    int64_t *keys = nuce_allocate(world->ranks, sizeof *keys, error);
    nuce_status status = chosen == NULL || made == NULL || keys == NULL ? error->status : NUCE_OK;

    for (int i = 0; status == NUCE_OK && i < size; i++)
        made[i] = GROUP_UNKNOWN;
    is_known = status == NUCE_OK && is_known && set_group_keys(world, cursors, parent, keys);
    count = is_known ? choose_members(world, cursors, parent, chosen) : 0;
    for (int i = 0, first = 0; status == NUCE_OK && i < count; i++) {
        struct nuce_dumpi_group *group;

        if (i == 0 || chosen[i].color != chosen[i - 1].color) {
            first = i;
            if (add_group(world, count - i, error) < 0)
                status = error->status;
        }
        if (status != NUCE_OK)
            break;
        group = &world->groups[world->group_count - 1];
        group->members[i - first] = chosen[i].rank;
        group->size = i - first + 1;
        group->grid = made_grid(&world->rank[chosen[i].rank].creations[cursors[chosen[i].rank].at],
                                &world->groups[parent].grid, group->size);
        made[chosen[i].place] = (int)(world->group_count - 1);
    }
    for (int i = 0; status == NUCE_OK && i < size; i++) {
        int rank = world->groups[parent].members[i];

        status = settle_creation(&world->rank[rank], &cursors[rank], made[i], error);
    }
    free(chosen);
    free(made);
    free(keys);
    return status;
}

/* Goes on with one rank's creations as far as they can be understood now; *moved is set to 1 if any
 * could. */
static nuce_status advance_rank(struct nuce_dumpi_world *world, struct comm_cursor_rank *cursors,
                                int rank, int *moved, struct nuce_error *error)
{
    struct comm_cursor_rank *cursor = &cursors[rank];

    while (cursor->at < world->rank[rank].creation_count) {
        const struct nuce_dumpi_creation *creation = &world->rank[rank].creations[cursor->at];
        int parent = made_group_of(cursor, creation->parent), is_one_way;

        if (parent < 0) {
            /* What comes of a rank's own, or of one that is not known. */
            if (settle_creation(&world->rank[rank], cursor, parent, error) != NUCE_OK)
                return error->status;
        } else if (!all_are_there(world, cursors, parent, &is_one_way)) {
            return NUCE_OK;
        } else if (resolve_creation(world, cursors, parent, is_one_way, error) != NUCE_OK) {
            return error->status;
        }
        *moved = 1;
    }
    return NUCE_OK;
}

/* Round over all ranks until a round settles nothing. Each round settles one creation or is the
 * last, so it ends. */
static nuce_status resolve_all(struct nuce_dumpi_world *world, struct nuce_error *error)
{
    struct comm_cursor_rank *cursors = nuce_allocate(world->ranks, sizeof *cursors, error);
    int moved = cursors != NULL;
    nuce_status status = cursors == NULL ? error->status : NUCE_OK;

    while (moved && status == NUCE_OK) {
        moved = 0;
        for (int rank = 0; status == NUCE_OK && rank < world->ranks; rank++)
            status = advance_rank(world, cursors, rank, &moved, error);
    }
    for (int rank = 0; cursors != NULL && rank < world->ranks; rank++)
        free(cursors[rank].entries);
    free(cursors);
    return status;
}

nuce_status nuce_dumpi_world_init(struct nuce_dumpi_world *world,
                                  const struct nuce_import_input *input, struct nuce_error *error)
{
    *world = (struct nuce_dumpi_world){.ranks = input->count};
    world->rank = nuce_allocate(world->ranks, sizeof *world->rank, error);
    if (world->rank == NULL || add_group(world, world->ranks, error) < 0)
        return error->status;
    world->groups[0].size = world->ranks;
    for (int rank = 0; rank < world->ranks; rank++) {
        world->groups[0].members[rank] = rank;
        if (scan_file(world, &input->files[rank], rank, error) != NUCE_OK)
            return error->status;
    }
    return resolve_all(world, error);
}

void nuce_dumpi_world_fini(struct nuce_dumpi_world *world)
{
    for (int rank = 0; world->rank != NULL && rank < world->ranks; rank++) {
        for (int64_t i = 0; i < world->rank[rank].creation_count; i++)
            free(world->rank[rank].creations[i].places.list);
        free(world->rank[rank].creations);
        nuce_dumpi_groups_fini(&world->rank[rank].groups);
        free(world->rank[rank].types.sizes);
    }
    for (int64_t i = 0; i < world->group_count; i++)
        free(world->groups[i].members);
    free(world->rank);
    free(world->groups);
    *world = (struct nuce_dumpi_world){0};
}
