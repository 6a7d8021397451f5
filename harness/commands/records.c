/* Records of before there was a list of variables to keep (base/known_variables.h): they may
 * hold credentials. nuce itself leaves such variables out of the database, but the files are the
 * user's, and records are never changed; so the user is told where they are. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "commands/doctor_check.h"

/* How many unknown variables the job records of a file hold. Only lines that may be of jobs are
 * parsed; a file has few. One that cannot be read has none. */
static int64_t count_unknown(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    int64_t count = 0;
    ssize_t length;

    while (file != NULL && (length = getline(&line, &capacity, file)) >= 0) {
        json_t *record;

        if (strstr(line, "\"described\"") == NULL)
            continue;
        record = json_loadb(line, (size_t)length, 0, NULL);
        count += nuce_record_unknown_variables(record);
        json_decref(record);
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return count;
}

/* Looks through all records below the campaigns' folder. */
static void look_credentials(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    char *pattern = nuce_text_format("%s/*/records/*.jsonl", local->campaigns);
    const char *first = NULL;
    size_t files = 0;
    glob_t found = {0};

    if (glob(pattern, 0, NULL, &found) != 0) {
        nuce_doctor_finding_set(finding, "ok", "no records yet");
    } else {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            if (count_unknown(found.gl_pathv[i]) == 0)
                continue;
            first = files++ == 0 ? found.gl_pathv[i] : first;
        }
        if (files == 0)
            nuce_doctor_finding_set(finding, "ok", "no record keeps a variable that is not known");
        else
            nuce_doctor_finding_set(finding, "wrong",
                                    "variables that may be credentials are in %s%s", first,
                                    files > 1 ? " and others" : "");
    }
    globfree(&found);
    free(pattern);
}

const struct nuce_doctor_check nuce_doctor_records[] = {
    {"credentials", 0,
     "collect leaves them out, but bundles hold the files: "
     "grep -l -E 'TOKEN|SECRET|KEY|PASS|JWT|AUTH' campaigns/*/records/*.jsonl, and remove what "
     "nobody is to see",
     look_credentials},
    {0},
};
