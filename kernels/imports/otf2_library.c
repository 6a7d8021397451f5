/* Reads an archive with OTF2's library: its definitions first, then all events, which the library
 * gives in the order of corrected times. OTF2's errors come through a global callback, which is put
 * back to what it was before. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "imports/otf2_reader.h"

/* Keeps what the library says of the first problem; by itself it would print it. */
static OTF2_ErrorCode on_problem(void *data, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode code, const char *format, va_list words)
{
    struct nuce_otf2_reader *reader = data;

    (void)file;
    (void)line;
    (void)function;
    (void)format;
    (void)words;
    if (reader->problem == NULL)
        reader->problem = OTF2_Error_GetDescription(code);
    return code;
}

/* A correction of a location's clock: that there are some says that clocks were synchronised. */
static OTF2_CallbackCode on_clock_offset(void *data, OTF2_TimeStamp time, int64_t offset,
                                         double deviation)
{
    struct nuce_otf2_reader *reader = data;

    (void)time;
    (void)offset;
    (void)deviation;
    reader->offset_count++;
    return OTF2_CALLBACK_SUCCESS;
}

/* Selects all locations and reads the local definitions of each: how its own numbers map to global
 * ones and how its clock went, which the library applies to the events by itself. Leaves the files
 * of events open. */
static nuce_status read_locations(struct nuce_otf2_reader *reader, OTF2_Reader *archive)
{
    OTF2_DefReaderCallbacks *calls = OTF2_DefReaderCallbacks_New();
    int has_definitions;

    if (calls == NULL)
        return nuce_otf2_fail(reader);
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(calls, on_clock_offset);
    for (int64_t i = 0; i < reader->locations.count; i++)
        OTF2_Reader_SelectLocation(archive, reader->locations.rows[i].ref);
    has_definitions = OTF2_Reader_OpenDefFiles(archive) == OTF2_SUCCESS;
    if (OTF2_Reader_OpenEvtFiles(archive) != OTF2_SUCCESS) {
        OTF2_DefReaderCallbacks_Delete(calls);
        return nuce_otf2_fail(reader);
    }
    for (int64_t i = 0; i < reader->locations.count; i++) {
        OTF2_LocationRef location = reader->locations.rows[i].ref;
        OTF2_DefReader *definitions =
            has_definitions ? OTF2_Reader_GetDefReader(archive, location) : NULL;
        uint64_t count = 0;

        if (definitions != NULL) {
            OTF2_Reader_RegisterDefCallbacks(archive, definitions, calls, reader);
            if (OTF2_Reader_ReadAllLocalDefinitions(archive, definitions, &count) != OTF2_SUCCESS)
                reader->status = nuce_otf2_fail(reader);
            OTF2_Reader_CloseDefReader(archive, definitions);
        }
        if (reader->status != NUCE_OK || OTF2_Reader_GetEvtReader(archive, location) == NULL) {
            OTF2_DefReaderCallbacks_Delete(calls);
            return nuce_otf2_fail(reader);
        }
    }
    OTF2_DefReaderCallbacks_Delete(calls);
    if (has_definitions)
        OTF2_Reader_CloseDefFiles(archive);
    return NUCE_OK;
}

/* Whether times of all ranks can be compared: they are of one host, or clocks were corrected. */
static int otf2_clocks_are_one(const struct nuce_otf2_reader *reader)
{
    const struct nuce_otf2_trace *trace = reader->trace;

    for (int rank = 0; rank < trace->ranks; rank++) {
        if (trace->rank[rank].host[0] == '\0' ||
            strcmp(trace->rank[rank].host, trace->rank[0].host) != 0)
            return reader->offset_count > 0;
    }
    return 1;
}

static void otf2_reader_fini(struct nuce_otf2_reader *reader)
{
    free(reader->strings.rows);
    free(reader->nodes.rows);
    free(reader->location_groups.rows);
    free(reader->locations.rows);
    free(reader->regions.rows);
    free(reader->groups.rows);
    free(reader->comms.rows);
    free(reader->texts);
    for (int64_t i = 0; i < reader->member_count; i++)
        free(reader->members[i].list);
    free(reader->members);
    free(reader->places);
}

nuce_status nuce_otf2_read(const char *path, struct nuce_otf2_trace *trace,
                           struct nuce_error *error)
{
    struct nuce_otf2_reader reader = {.path = path, .trace = trace, .error = error};
    OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(on_problem, &reader);
    OTF2_Reader *archive = OTF2_Reader_Open(path);
    nuce_status status;

    if (archive == NULL) {
        status = nuce_otf2_fail(&reader);
    } else {
        OTF2_Reader_SetSerialCollectiveCallbacks(archive);
        status = nuce_otf2_read_definitions(&reader, archive);
        if (status == NUCE_OK)
            status = read_locations(&reader, archive);
        if (status == NUCE_OK)
            status = nuce_otf2_read_events(&reader, archive);
        OTF2_Reader_Close(archive);
    }
    (void)OTF2_Error_RegisterCallback(before, NULL);
    if (status == NUCE_OK)
        trace->are_clocks_one = otf2_clocks_are_one(&reader);
    otf2_reader_fini(&reader);
    return status;
}
