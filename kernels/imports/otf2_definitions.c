/* The definitions of an archive of OTF2: its clock, locations, ranks, hosts and communicators. Each
 * callback adds a row to a table (struct nuce_otf2_reader says what is in it); end_definitions then
 * resolves numbers. Cost: O(d log d) for d definitions.
 *
 * Source: OTF2 3.0's OTF2_GlobalDefReaderCallbacks.h and OTF2_Definitions.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "imports/importer.h"
#include "imports/otf2_reader.h"
#include "support/allocate.h"

/* Ticks a second (10 GHz) beyond which the span of a run would come near to 64 bits of ticks. */
#define MOST_RESOLUTION UINT64_C(10000000000)

/* `length` and realtime are not needed: the span is that of the events. */
static OTF2_CallbackCode on_clock(void *data, uint64_t resolution, uint64_t begin, uint64_t length,
                                  uint64_t realtime)
{
    struct nuce_otf2_reader *reader = data;

    (void)length;
    (void)realtime;
    reader->resolution = resolution;
    reader->begin = begin;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *string)
{
    struct nuce_otf2_reader *reader = data;
    char *text = nuce_otf2_append(reader, &reader->texts, &reader->text_capacity,
                                  reader->text_count, sizeof *reader->texts);

    if (text == NULL)
        return OTF2_CALLBACK_INTERRUPT;
    (void)snprintf(text, sizeof *reader->texts, "%.63s", string);
    return nuce_otf2_add(reader, &reader->strings,
                         (struct nuce_otf2_row){.ref = self, .a = reader->text_count++});
}

/* A node of the system tree: machine, node, ... The class says which. */
static OTF2_CallbackCode on_node(void *data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                 OTF2_StringRef class, OTF2_SystemTreeNodeRef parent)
{
    struct nuce_otf2_reader *reader = data;

    return nuce_otf2_add(reader, &reader->nodes, (struct nuce_otf2_row){self, parent, name, class});
}

static OTF2_CallbackCode on_location_group(void *data, OTF2_LocationGroupRef self,
                                           OTF2_StringRef name, OTF2_LocationGroupType type,
                                           OTF2_SystemTreeNodeRef node,
                                           OTF2_LocationGroupRef creator)
{
    struct nuce_otf2_reader *reader = data;

    (void)name;
    (void)type;
    (void)creator;
    return nuce_otf2_add(reader, &reader->location_groups,
                         (struct nuce_otf2_row){.ref = self, .a = node});
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group)
{
    struct nuce_otf2_reader *reader = data;

    (void)name;
    (void)type;
    (void)events;
    return nuce_otf2_add(reader, &reader->locations,
                         (struct nuce_otf2_row){.ref = self, .a = group});
}

/* Regions are functions; those of MPI bound the calls that events are in. */
static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t first,
                                   uint32_t last)
{
    struct nuce_otf2_reader *reader = data;

    (void)name;
    (void)canonical;
    (void)description;
    (void)role;
    (void)flags;
    (void)file;
    (void)first;
    (void)last;
    return paradigm == OTF2_PARADIGM_MPI
               ? nuce_otf2_add(reader, &reader->regions, (struct nuce_otf2_row){.ref = self})
               : OTF2_CALLBACK_SUCCESS;
}

/* Groups of MPI's paradigm alone. b keeps the type in its low byte, with 256 where members are
 * world ranks instead of locations' indices. */
static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t count, const uint64_t *list)
{
    struct nuce_otf2_reader *reader = data;
    struct nuce_otf2_members *members;

    (void)name;
    if (paradigm != OTF2_PARADIGM_MPI)
        return OTF2_CALLBACK_SUCCESS;
    members = nuce_otf2_append(reader, &reader->members, &reader->member_capacity,
                               reader->member_count, sizeof *members);
    if (members == NULL)
        return OTF2_CALLBACK_INTERRUPT;
    *members = (struct nuce_otf2_members){nuce_allocate(count, sizeof *list, reader->error), count};
    reader->member_count++;
    if (members->list == NULL) {
        reader->status = reader->error->status;
        return OTF2_CALLBACK_INTERRUPT;
    }
    if (count > 0)
        memcpy(members->list, list, count * sizeof *list);
    return nuce_otf2_add(
        reader, &reader->groups,
        (struct nuce_otf2_row){.ref = self,
                               .a = reader->member_count - 1,
                               .b = type |
                                    ((flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0 ? 256 : 0)});
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct nuce_otf2_reader *reader = data;

    (void)name;
    (void)parent;
    (void)flags;
    return nuce_otf2_add(reader, &reader->comms, (struct nuce_otf2_row){.ref = self, .a = group});
}

static OTF2_CallbackCode on_inter_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
                                       OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
                                       OTF2_CommFlag flags)
{
    struct nuce_otf2_reader *reader = data;

    (void)name;
    (void)a;
    (void)b;
    (void)common;
    (void)flags;
    return nuce_otf2_add(reader, &reader->comms, (struct nuce_otf2_row){.ref = self, .b = 1});
}

/* The locations of MPI's ranks, in the order of ranks: the group of type COMM_LOCATIONS. */
static nuce_status find_ranks(struct nuce_otf2_reader *reader, const struct nuce_otf2_members **out)
{
    for (int64_t i = 0; i < reader->groups.count; i++) {
        if (reader->groups.rows[i].b % 256 == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
            *out = &reader->members[reader->groups.rows[i].a];
            if ((*out)->count == 0 || (*out)->count > NUCE_PATTERN_MAX_RANKS)
                break;
            return NUCE_OK;
        }
    }
    return nuce_otf2_refuse(reader, "no ranks of MPI are in it");
}

/* The string of that number; "": it is not defined. Tables must be sorted. */
static const char *otf2_text(const struct nuce_otf2_reader *reader, int64_t string)
{
    const struct nuce_otf2_row *row = nuce_otf2_find(&reader->strings, (uint64_t)string);

    return row == NULL ? "" : reader->texts[row->a];
}

/* The host of a rank: the name of the first node of the class "node" up from its process. At most
 * as many steps as there are nodes, so that a circle of parents ends. Left "" if there is none. */
static void note_host(const struct nuce_otf2_reader *reader, int64_t location_group, char host[64])
{
    const struct nuce_otf2_row *at =
        nuce_otf2_find(&reader->location_groups, (uint64_t)location_group);

    for (int64_t up = 0; at != NULL && up < reader->nodes.count; up++) {
        at = nuce_otf2_find(&reader->nodes, (uint64_t)at->a);
        if (at != NULL && strcmp(otf2_text(reader, at->c), "node") == 0) {
            memcpy(host, otf2_text(reader, at->b), strlen(otf2_text(reader, at->b)) + 1);
            return;
        }
    }
}

/* Which rank each location's events are of: those of the list of ranks, and other locations
 * (threads) of the same process, whose calls are that rank's too. */
static nuce_status place_locations(struct nuce_otf2_reader *reader,
                                   const struct nuce_otf2_members *ranks)
{
    struct nuce_otf2_table processes = {.rows = NULL}; /* group of locations -> rank */

    reader->places = nuce_allocate(reader->locations.count, sizeof *reader->places, reader->error);
    if (reader->places == NULL)
        return reader->error->status;
    for (int64_t i = 0; i < reader->locations.count; i++)
        reader->places[i] = (struct nuce_otf2_place){.rank = -1, .last = -1, .coming_ns = -1};
    for (uint32_t rank = 0; rank < ranks->count; rank++) {
        const struct nuce_otf2_row *row = nuce_otf2_find(&reader->locations, ranks->list[rank]);

        if (row == NULL) {
            free(processes.rows);
            return nuce_otf2_refuse(reader, "a rank of MPI is at no location of it");
        }
        reader->places[row - reader->locations.rows].rank = (int)rank;
        note_host(reader, row->a, reader->trace->rank[rank].host);
        (void)nuce_otf2_add(reader, &processes,
                            (struct nuce_otf2_row){.ref = (uint64_t)row->a, .a = rank});
    }
    nuce_otf2_sort(&processes);
    for (int64_t i = 0; i < reader->locations.count; i++) {
        const struct nuce_otf2_row *row =
            nuce_otf2_find(&processes, (uint64_t)reader->locations.rows[i].a);

        if (reader->places[i].rank < 0 && row != NULL)
            reader->places[i].rank = (int)row->a;
    }
    free(processes.rows);
    return reader->status;
}

/* Fills comm with the members of its group as world ranks. The world's group lists locations, whose
 * index is the rank. NUCE_BAD_INPUT: a member is no rank, or there are more than ranks. */
static nuce_status take_otf2_members(struct nuce_otf2_reader *reader,
                                     const struct nuce_otf2_row *group, struct nuce_otf2_comm *comm)
{
    const struct nuce_otf2_members *members = &reader->members[group->a];
    int is_world = group->b % 256 == OTF2_GROUP_TYPE_COMM_LOCATIONS;

    comm->is_self = group->b % 256 == OTF2_GROUP_TYPE_COMM_SELF;
    comm->is_global = group->b >= 256;
    if (comm->is_self)
        return NUCE_OK;
    comm->members = nuce_allocate(members->count, sizeof *comm->members, reader->error);
    if (comm->members == NULL)
        return reader->error->status;
    for (uint32_t i = 0; i < members->count; i++) {
        uint64_t member = is_world ? i : members->list[i];

        if (member >= (uint64_t)reader->trace->ranks ||
            members->count > (uint32_t)reader->trace->ranks)
            return nuce_otf2_refuse(reader, "a communicator has members that are no ranks of MPI");
        comm->members[i] = (int)member;
    }
    comm->size = (int)members->count;
    return NUCE_OK;
}

/* Makes trace->comms, and lets the table of communicators point into it. */
static nuce_status make_comms(struct nuce_otf2_reader *reader)
{
    struct nuce_otf2_trace *trace = reader->trace;

    for (int64_t i = 0; i < reader->comms.count; i++) {
        struct nuce_otf2_row *row = &reader->comms.rows[i];
        const struct nuce_otf2_row *group = nuce_otf2_find(&reader->groups, (uint64_t)row->a);
        struct nuce_otf2_comm *comm;

        if (row->b != 0 || group == NULL) {
            row->a = row->b != 0 ? NUCE_OTF2_BETWEEN : -1;
            continue;
        }
        comm = nuce_otf2_append(reader, &trace->comms, &trace->comm_capacity, trace->comm_count,
                                sizeof *comm);
        if (comm == NULL)
            return reader->status;
        *comm = (struct nuce_otf2_comm){.members = NULL};
        row->a = trace->comm_count++;
        if (take_otf2_members(reader, group, comm) != NUCE_OK)
            return reader->error->status;
    }
    return NUCE_OK;
}

/* All definitions were read: sorts the tables and resolves ranks, hosts and communicators. */
static nuce_status end_definitions(struct nuce_otf2_reader *reader)
{
    struct nuce_otf2_trace *trace = reader->trace;
    struct nuce_otf2_table *const tables[] = {
        &reader->strings, &reader->nodes,  &reader->locations, &reader->location_groups,
        &reader->regions, &reader->groups, &reader->comms};
    const struct nuce_otf2_members *ranks = NULL;

    if (find_ranks(reader, &ranks) != NUCE_OK)
        return reader->error->status;
    if (reader->resolution < 1 || reader->resolution > MOST_RESOLUTION)
        return nuce_otf2_refuse(reader, "its clock has no resolution of 1 to 1e10 ticks a second");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        nuce_otf2_sort(tables[i]);
    trace->rank = nuce_allocate(ranks->count, sizeof *trace->rank, reader->error);
    if (trace->rank == NULL)
        return reader->error->status;
    trace->ranks = (int)ranks->count;
    for (int i = 0; i < trace->ranks; i++)
        trace->rank[i].begin_ns = -1;
    if (place_locations(reader, ranks) != NUCE_OK)
        return reader->error->status;
    return make_comms(reader);
}

nuce_status nuce_otf2_read_definitions(struct nuce_otf2_reader *reader, OTF2_Reader *archive)
{
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(archive);
    OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t count = 0;
    OTF2_ErrorCode code = OTF2_ERROR_INVALID;

    if (definitions != NULL && calls != NULL) {
        OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(calls, on_clock);
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(calls, on_string);
        OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(calls, on_node);
        OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(calls, on_location_group);
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls, on_location);
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(calls, on_region);
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(calls, on_group);
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(calls, on_comm);
        OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(calls, on_inter_comm);
        OTF2_Reader_RegisterGlobalDefCallbacks(archive, definitions, calls, reader);
        code = OTF2_Reader_ReadAllGlobalDefinitions(archive, definitions, &count);
    }
    OTF2_GlobalDefReaderCallbacks_Delete(calls);
    return code == OTF2_SUCCESS && reader->status == NUCE_OK ? end_definitions(reader)
                                                             : nuce_otf2_fail(reader);
}
