# Writes revision.h with the revision of the sources, "unknown" outside git; leaves an equal file
# alone, so that nothing is rebuilt without need. Run at every build with SOURCE and OUTPUT. Changes since the commit
# are included as their hash, so that two such builds are two environments.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
    set(revision unknown)
elseif(revision MATCHES "-dirty$")
    execute_process(COMMAND git -C ${SOURCE} diff HEAD OUTPUT_VARIABLE changes ERROR_QUIET)
    string(SHA256 hash "${changes}")
    string(SUBSTRING ${hash} 0 8 hash)
    string(APPEND revision -${hash})
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define NUCE_REVISION \"@revision@\"\n" @ONLY)
