/* Storage: SQLite, and the file systems of campaigns and database. Campaigns are guarded by flock
 * and the database by fcntl's locks (SQLite's), two kinds that a network file system may have one
 * of, both, or neither; so both are tried, on real files in these folders. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "commands/doctor_check.h"

/* RHEL 9 has 3.34; older ones are untried. */
static void look_sqlite(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    (void)local;
    nuce_doctor_finding_set(finding, sqlite3_libversion_number() >= 3034000 ? "ok" : "wrong", "%s",
                            sqlite3_libversion());
}

static const char *doctor_folder_name(const char *folder)
{
    return strcmp(folder, ".") == 0 ? "this folder" : folder;
}

/* Locks keep two nuces off one campaign, and tell whether a job still writes its records. */
static void look_locks(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    struct stat status;
    const char *folder = stat(local->campaigns, &status) == 0 ? local->campaigns : ".";
    char *path = nuce_text_format("%s/.nuce-doctor-XXXXXX", folder);
    int first = mkostemp(path, O_CLOEXEC);
    int second = first >= 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    if (first < 0)
        nuce_doctor_finding_set(finding, "wrong", "%s: cannot write: %s", folder, strerror(errno));
    else if (flock(first, LOCK_EX | LOCK_NB) != 0)
        nuce_doctor_finding_set(finding, "wrong", "%s: no locks: %s", folder, strerror(errno));
    else if (second < 0 || flock(second, LOCK_EX | LOCK_NB) == 0)
        nuce_doctor_finding_set(finding, "wrong", "%s: a lock keeps nobody out", folder);
    else
        nuce_doctor_finding_set(finding, "ok", "a lock in %s keeps others out",
                                doctor_folder_name(folder));
    if (second >= 0)
        close(second);
    if (first >= 0) {
        close(first);
        unlink(path);
    }
    free(path);
}

/* What the file system of path is, by the number that statfs gives; NULL: none of those whose locks
 * are known to fail at times. From statfs(2). Those of Lustre, GPFS and BeeGFS, which are not in
 * it, as in src/stat.c of GNU coreutils. */
static const char *network_file_system(const char *path)
{
    static const struct {
        unsigned long type;
        const char *name;
    } known[] = {
        {0x6969, "NFS"},      {0x0bd00bd0, "Lustre"}, {0xff534d42, "CIFS"},
        {0xfe534d42, "SMB"},  {0x47504653, "GPFS"},   {0x19830326, "BeeGFS"},
        {0x00c36400, "Ceph"}, {0x5346414f, "AFS"},    {0x65735546, "FUSE"},
    };
    struct statfs status;

    if (statfs(path, &status) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (((unsigned long)status.f_type & 0xffffffff) == known[i].type)
            return known[i].name;
    }
    return NULL;
}

/* Whether a lock as SQLite takes them keeps another process out: 1, 0, or -1 with errno. fcntl's
 * locks never keep their own process out, so a child tries. */
static int try_record_lock(int descriptor)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    int status = -1;
    pid_t child;

    if (fcntl(descriptor, F_SETLK, &lock) != 0)
        return -1;
    child = fork();
    if (child == 0)
        _exit(fcntl(descriptor, F_SETLK, &lock) == 0);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* SQLite takes fcntl locks beside the database, where nuce itself takes flock's. */
static void look_database(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    const char *slash = strrchr(local->database, '/');
    char *folder = slash == NULL
                       ? nuce_text_format(".")
                       : nuce_text_format("%.*s/", (int)(slash - local->database), local->database);
    char *path = nuce_text_format("%s/.nuce-doctor-XXXXXX", folder);
    int descriptor = mkostemp(path, O_CLOEXEC);
    const char *network = network_file_system(folder);
    int locks;

    if (descriptor < 0)
        nuce_doctor_finding_set(finding, "wrong", "%s: cannot write: %s", folder, strerror(errno));
    else {
        locks = try_record_lock(descriptor);
        if (locks < 0)
            nuce_doctor_finding_set(finding, "wrong", "%s: no locks: %s", folder, strerror(errno));
        else if (!locks)
            nuce_doctor_finding_set(finding, "wrong", "%s: a lock keeps nobody out", folder);
        else if (network != NULL)
            nuce_doctor_finding_set(finding, "ok", "locks work in %s, on %s: collect from one node",
                                    doctor_folder_name(folder), network);
        else
            nuce_doctor_finding_set(finding, "ok",
                                    "locks work in %s, on a file system of this machine",
                                    doctor_folder_name(folder));
        close(descriptor);
        unlink(path);
    }
    free(path);
    free(folder);
}

const struct nuce_doctor_check nuce_doctor_storage[] = {
    {"sqlite", 1, "install SQLite 3.34 or newer and build nuce again", look_sqlite},
    {"locks", 1, "keep campaigns on a file system with locks (--campaigns)", look_locks},
    {"database", 1, "keep the database on a file system with locks (--database)", look_database},
    {0},
};
