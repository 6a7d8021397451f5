# Makes the wrappers of calls.txt (which says what its rows mean) for one MPI library:
#   awk -v library=mpich|openmpi -f generate.awk FUNCTIONS calls.txt
# FUNCTIONS has the names that the library's mpi.h declares, PMPI_..., one per line: no others are made.
#
# A wrapper has a C name of its own and MPI's name as its symbol, so that what mpi.h says of const does
# not matter. Fortran: Open MPI's mpif.h and mpi_f08 end in ompi_X_f, MPICH's in the C calls, but for
# procedures of mpi_f08 that take no data, mpi_X_f08_: all of MPICH's, and of Open MPI's those with a
# LOGICAL, such as MPI_Test or MPI_Cart_create, which go on to pmpi_X_.
#
# Of each call there is what notes it, and its entries: MPI_X, which goes on to the next one in the chain
# of tools; PMPI_X, which notes what a wrapper in the program calls past the first; and, in Fortran,
# further names, which tools do not have and which go on to the library.

BEGIN {
    FS = "[ \t]*[|][ \t]*"
    c_type["buf"] = "void *"; c_type["n"] = "int "; c_type["int"] = "int "
    c_type["ints"] = "const int *"; c_type["type"] = "MPI_Datatype "
    c_type["types"] = "const MPI_Datatype *"; c_type["counts"] = "const int *"
    c_type["displs"] = "const int *"; c_type["adispls"] = "const MPI_Aint *"
    c_type["op"] = "MPI_Op "; c_type["info"] = "MPI_Info "; c_type["comm"] = "MPI_Comm "
    c_type["newcomm"] = c_type["latercomm"] = c_type["oldcomm"] = "MPI_Comm *"; c_type["req"] = c_type["done"] = c_type["active"] = "MPI_Request *"
    c_type["dones"] = c_type["actives"] = "MPI_Request *"
    c_type["msg"] = c_type["found"] = "MPI_Message *"
    c_type["status"] = c_type["statuses"] = "MPI_Status *"
    c_type["flag"] = c_type["index"] = c_type["indices"] = "int *"; c_type["win"] = "MPI_Win "
    c_type["group"] = "MPI_Group "; c_type["aint"] = "MPI_Aint "; c_type["count"] = "MPI_Count "
    large["n"] = "MPI_Count "; large["counts"] = "const MPI_Count *"; large["displs"] = "const MPI_Aint *"
    print "/* Made by generate.awk from calls.txt. */"
    print "#include \"capture/tap.h\"\n#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n"
}

FNR == NR { declared[$0] = 1; next }
/^#/ || NF == 0 { next }
NF != 4 { print FILENAME ":" FNR ": a row has four fields" >"/dev/stderr"; exit 1 }

{
    name = $1
    sub(/^[*]/, "", name)
    read_parameters($2)
    if ($1 !~ /^[*]/) {
        make_all(name, "", $3, $4)
        next
    }
    make_all(name, "nuce_tap_call_begin(&call, comm, NUCE_TAP_BLOCKING)", "", with_call($4, ""))
    add_parameter("request", "req")
    lower = tolower(substr(name, 1, 1)) substr(name, 2)
    make_all("I" lower, "nuce_tap_call_begin(&call, comm, NUCE_TAP_NONBLOCKING)", "", with_call($4, "request"))
    parameters--
    add_parameter("info", "info")
    add_parameter("request", "req")
    make_all(name "_init", "nuce_tap_call_begin(&call, comm, NUCE_TAP_PERSISTENT)", "", with_call($4, "request"))
}

function with_call(code, request) {
    return (request != "" ? "nuce_tap_call_of(&call, *request); " : "nuce_tap_call_end(&call); ") code
}

function read_parameters(text, words, count, i, part) {
    parameters = 0
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
        split(words[i], part, ":")
        add_parameter(part[1], part[2])
    }
}

function add_parameter(parameter, kind) {
    names[++parameters] = parameter
    kinds[parameters] = kind
}

function has(kind, i) {
    for (i = 1; i <= parameters; i++)
        if (kinds[i] == kind)
            return names[i]
    return ""
}

# Statements before and behind, of which the first ones come from the kind of call.
function make_all(call_name, first, before, after) {
    before = first (first != "" && before != "" ? "; " : "") before
    if (("PMPI_" call_name) in declared) {
        make_c(call_name, 0, before, after)
        make_fortran(call_name, before, after)
    }
    if (("PMPI_" call_name "_c") in declared && (has("n") != "" || has("counts") != ""))
        make_c(call_name, 1, before, after)
    if (("PMPIX_" call_name) in declared && !(("PMPI_" call_name) in declared)) {
        prefix = "MPIX_"
        make_c(call_name, 0, before, after)
        make_fortran(call_name, before, after)
        prefix = ""
    }
}

# What the hooks need to have: variables that the row's code uses.
function locals(code, text) {
    if (code ~ /&place/) text = text "    struct nuce_tap_place place = {0};\n"
    if (code ~ /&place2/) text = text "    struct nuce_tap_place place2 = {0};\n"
    if (code ~ /&found/) text = text "    struct nuce_tap_place found = {0};\n"
    if (code ~ /&call/) text = text "    struct nuce_tap_call call = {0};\n"
    if (needs_batch()) text = text "    struct nuce_tap_batch batch = {0};\n"
    return text
}

function needs_batch() {
    return has("status") has("statuses") has("done") has("dones") has("actives") != ""
}

# How many requests the call is about, as a C expression.
function how_many(call_count) {
    return has("done") != "" ? "1" : call_count
}

function make_c(call_name, is_large, before, after, i, kind, list, pass, symbol, body, used, own) {
    symbol = (prefix == "" ? "MPI_" : prefix) call_name (is_large ? "_c" : "")
    used = before after
    for (i = 1; i <= parameters; i++) {
        kind = kinds[i] == "only" ? (call_name == "Init" || names[i] == "argc" || names[i] == "argv" ? "only" : kinds[i]) : kinds[i]
        if (kind == "only")
            list = list (i > 1 ? ", " : "") (names[i] == "argc" ? "int *" : "char ***") names[i]
        else
            list = list (i > 1 ? ", " : "") ((is_large && kind in large) ? large[kind] : c_type[kind]) c_name(kind, names[i])
        pass = pass (i > 1 ? ", " : "") (kind == "status" || kind == "statuses" ? "batch.used" : c_name(kind, names[i]))
    }
    body = locals(used) "    int result;\n"
    body = body watch(call_name, "begin")
    for (i = 1; i <= parameters; i++) {
        kind = kinds[i]
        if (kind == "counts" && uses(used, names[i]))
            body = body "    struct nuce_tap_counts " names[i] " = {.at = mpi_" names[i] ", .size = sizeof *mpi_" names[i] "};\n"
        if (kind == "types" && uses(used, names[i]))
            body = body "    struct nuce_tap_types " names[i] " = {.at = mpi_" names[i] "};\n"
    }
    if (has("done") has("dones") != "")
        body = body "    nuce_tap_batch_open(&batch, " how_many(has("dones") != "" ? "count" : "") ", " has("done") has("dones") ");\n"
    if (has("status") has("statuses") != "")
        body = body "    nuce_tap_batch_use(&batch, " has("status") has("statuses") ", " (has("statuses") != "" ? "count" : "1") ", " (has("done") has("dones") == "" ? 1 : 0) ");\n"
    body = body statements(before) watch(call_name, "pause")
    body = body inside(call_name, 1) waiting(call_name, "result = real(" pass ");", "P" symbol, pass, 0)
    body = body inside(call_name, 0) watch(call_name, "resume")
    body = body "    if (result == MPI_SUCCESS" (call_name ~ /^(Wait|Test)/ ? " || nuce_tap_is_partly(result)" : "") ") {\n" statements(after) "    }" failure(before) "\n"
    body = body (needs_batch() ? "    nuce_tap_batch_close(&batch);\n" : "") watch(call_name, "end") "    return result;\n"
    own = call_name (is_large ? "_c" : "")
    print "typedef __typeof__(&P" symbol ") nuce_tap_type_" own ";"
    make_link("c_" own, symbol, "P" symbol)
    print "static int nuce_tap_note_" own "(struct nuce_tap_link *link, nuce_tap_type_" own " real" (list == "" ? "" : ", ") list ")\n{\n    (void)link;\n" body "}\n"
    make_c_entry("c", own, symbol, list, plain(pass), "next", notes(call_name, "nuce_tap_is_noted()"))
    make_c_entry("p", own, "P" symbol, list, plain(pass), "real", "nuce_tap_is_direct(link, __builtin_return_address(0))" (call_name ~ /^Init/ ? "" : " && " notes(call_name, "nuce_tap_is_noted()")))
}

# Where the call goes on to, found when it is first made.
function make_link(own, symbol, real) {
    print "static struct nuce_tap_link *nuce_tap_link_" own "(void)\n{\n    static struct nuce_tap_link link = {.name = \"" symbol "\", .real_name = \"" real "\"};\n\n    return nuce_tap_find_link(&link);\n}\n"
}

# A call that a tool makes inside of another one is not the application's, but for those that callbacks of
# the application make where communicators are copied and freed.
function notes(call_name, condition) {
    return call_name ~ /^Init/ ? "1" : is_open(call_name) ? "nuce_tap_is_on()" : condition
}

function is_open(call_name) {
    return call_name ~ /^(Init|Finalize|Comm|Cart|Graph|Dist|Intercomm)/
}

function inside(call_name, begins) {
    return is_open(call_name) ? "" : "    nuce_tap_" (begins ? "go_in" : "come_out") "(" (call_name ~ /^(Wait|Test)/ ? "link->is_wrapped" : "1") ");\n"
}

function make_c_entry(letter, own, symbol, list, pass, to, condition) {
    print "NUCE_TAP_EXPORT int nuce_tap_" letter "_" own "(" (list == "" ? "void" : list) ") __asm__(\"" symbol "\");"
    print "int nuce_tap_" letter "_" own "(" (list == "" ? "void" : list) ")\n{"
    print "    struct nuce_tap_link *link = nuce_tap_link_c_" own "();"
    print "    nuce_tap_type_" own " real = (nuce_tap_type_" own ")link->" to ";\n"
    if (condition != "1")
        print "    if (!(" condition "))\n        return real(" pass ");"
    print "    return nuce_tap_note_" own "(link, real" (pass == "" ? "" : ", ") pass ");\n}\n"
}

# The call itself; one that waits also as a loop of the one that tests, with the same requests and
# statuses, where nuce_tap_yields says so: option --yield of nuce capture.
function waiting(call_name, call, real, pass, is_fortran, test) {
    if (call_name !~ /^Wait/)
        return "    " call "\n"
    test = real
    if (is_fortran) sub(/wait/, "test", test); else sub(/Wait/, "Test", test)
    if (call_name != "Waitsome")
        sub(/batch[.]used/, "\\&flag, batch.used", pass)
    test = is_fortran ? test "(" pass "error)" : "(result = " test "(" pass "))"
    return "    if (!link->is_wrapped && nuce_tap_yields(&batch)) {\n        " (is_fortran ? "MPI_Fint" : "int") " flag = 0;\n        int turns = 0;\n\n" \
        "        while (" test (is_fortran ? ", *error" : "") " == MPI_SUCCESS && " \
        (call_name == "Waitsome" ? (is_fortran ? "*f_outcount == 0" : "*outcount == 0") : "!flag") ")\n" \
        "            turns += nuce_tap_pause();\n" \
        (call_name == "Waitsome" ? "        (void)flag;\n" : "") \
        "        nuce_tap_paused(turns);\n    } else {\n        " call "\n    }\n"
}

# A blocking call that failed moved nothing.
function failure(before, text) {
    if (before ~ /&place/) text = text " nuce_tap_undo(&place);"
    if (before ~ /&place2/) text = text " nuce_tap_undo(&place2);"
    return text == "" ? "" : " else {" text " }"
}

# What a call costs, but for the first and the last.
function watch(call_name, what) {
    if (call_name ~ /^(Init|Finalize)/)
        return ""
    return (what == "begin" ? "    struct nuce_tap_watch watch;\n\n" : "") "    nuce_tap_watch_" what "(&watch);\n"
}

# Without hooks statuses go through as they are.
function plain(pass) {
    sub(/batch[.]used/, has("status") has("statuses"), pass)
    return pass
}

function c_name(kind, parameter) {
    return kind == "counts" || kind == "types" ? "mpi_" parameter : parameter
}

function uses(code, parameter) {
    return code ~ ("[( ]" parameter "[,)]")
}

function statements(code) {
    return code == "" ? "" : "    " code ";\n"
}

function make_fortran(call_name, before, after, lower, real, symbol) {
    lower = tolower(prefix == "" ? "mpi_" call_name : prefix call_name)
    if (library == "openmpi") {
        fortran(call_name, lower "_", "p" lower "_", before, after)
        fortran_entry("f", call_name, lower "_", "next", notes(call_name, "nuce_tap_is_noted()"))
        fortran_entry("q", call_name, "p" lower "_", "real", "nuce_tap_is_direct(link, __builtin_return_address(0))" (call_name ~ /^Init/ ? "" : " && " notes(call_name, "nuce_tap_is_noted()")))
        if (prefix == "")
            fortran_entry("g", call_name, "ompi_" tolower(call_name) "_f", "real", notes(call_name, "nuce_tap_is_noted()"))
        if (has("buf") == "")
            fortran_entry("h", call_name, lower "_f08_", "real", notes(call_name, "nuce_tap_is_noted()"))
    } else if (library == "mpich" && has("buf") == "") {
        fortran(call_name, lower "_f08_", "pmpir_" tolower(call_name) "_f08_", before, after)
        fortran_entry("f", call_name, lower "_f08_", "next", notes(call_name, "nuce_tap_is_noted()"))
    }
}

# One of the names of a Fortran procedure, whose parameters fortran() has left.
function fortran_entry(letter, call_name, symbol, to, condition) {
    print "NUCE_TAP_EXPORT void nuce_tap_" letter "_" call_name "(" f_list "MPI_Fint *f_error) __asm__(\"" symbol "\");"
    print "void nuce_tap_" letter "_" call_name "(" f_list "MPI_Fint *f_error)\n{"
    print "    struct nuce_tap_link *link = nuce_tap_link_f_" call_name "();"
    print "    nuce_tap_fortran_" call_name " *real = (nuce_tap_fortran_" call_name " *)link->" to ";"
    print "    MPI_Fint own, *error = f_error != NULL ? f_error : &own;\n"
    if (condition != "1")
        print "    if (!(" condition ")) {\n        real(" f_pass "error);\n        return;\n    }"
    print "    nuce_tap_note_f_" call_name "(link, real, " f_pass "error);\n}\n"
}

function declare_fortran(real, types) {
    print "void " real "(" types "MPI_Fint *);"
    print "#pragma weak " real
}

function fortran(call_name, symbol, real, before, after, i, kind, p, list, types, pass, body, tail, used) {
    used = before after
    for (i = 1; i <= parameters; i++) {
        kind = kinds[i]
        p = names[i]
        if (kind == "only")
            continue
        list = list (kind == "buf" ? "void *" : kind == "aint" || kind == "adispls" || kind == "count" ? "const void *" : "MPI_Fint *") "f_" p ", "
        types = types (kind == "buf" ? "void *" : kind == "aint" || kind == "adispls" || kind == "count" ? "const void *" : "MPI_Fint *") ", "
        pass = pass (kind == "status" || kind == "statuses" ? "batch.used" : "f_" p) ", "
        if (kind == "n" && uses(used, p)) body = body "    int64_t " p " = *f_" p ";\n"
        if (kind == "int" && (uses(used, p) || (p == "count" && has("dones") has("actives") has("statuses") != ""))) body = body "    int " p " = *f_" p ";\n"
        if (kind == "type" && (uses(used, p) || used ~ ("&" p))) body = body "    MPI_Datatype " p " = PMPI_Type_f2c(*f_" p ");\n"
        if (kind == "comm" && uses(used, p)) body = body "    MPI_Comm " p " = PMPI_Comm_f2c(*f_" p ");\n"
        if (kind == "buf" && uses(used, p)) body = body "    const void *" p " = f_" p ";\n"
        if (kind == "counts" && uses(used, p)) body = body "    struct nuce_tap_counts " p " = {.at = f_" p ", .size = sizeof(MPI_Fint)};\n"
        if (kind == "types" && uses(used, p)) body = body "    struct nuce_tap_types " p " = {.at = f_" p ", .is_fortran = 1};\n"
        if ((kind == "flag" || kind == "index" || kind == "indices") && used ~ ("[*, ]" p)) body = body "    const int *" p " = f_" p ";\n"
        if (kind == "active") body = body "    MPI_Request " p "_value = PMPI_Request_f2c(*f_" p "), *" p " = &" p "_value;\n"
        if (kind == "found") body = body "    MPI_Message " p "_value = PMPI_Message_f2c(*f_" p "), *" p " = &" p "_value;\n"
        if (kind == "req" && used ~ /[*]request/) {
            body = body "    MPI_Request " p "_value, *" p " = &" p "_value;\n"
            tail = tail "        " p "_value = PMPI_Request_f2c(*f_" p ");\n"
        }
        if (kind == "newcomm") {
            body = body "    MPI_Comm " p "_value, *" p " = &" p "_value;\n"
            tail = tail "        " p "_value = PMPI_Comm_f2c(*f_" p ");\n"
        }
        if (kind == "oldcomm") body = body "    MPI_Comm " p "_value = PMPI_Comm_f2c(*f_" p "), *" p " = &" p "_value;\n"
        if (kind == "latercomm") body = body "    const MPI_Comm *" p " = NULL;\n"
        if (kind == "msg") {
            body = body "    MPI_Message " p "_value, *" p " = &" p "_value;\n"
            tail = tail "        " p "_value = PMPI_Message_f2c(*f_" p ");\n"
        }
    }
    body = locals(used) body
    if (has("actives") != "") body = body "    MPI_Request *" has("actives") ";\n"
    body = body watch(call_name, "begin")
    f_list = list
    f_pass = pass
    sub(/batch[.]used/, "f_" has("status") has("statuses"), f_pass)
    if (has("done") has("dones") has("actives") != "")
        body = body "    nuce_tap_batch_open_fortran(&batch, " how_many("count") ", f_" has("done") has("dones") has("actives") ");\n"
    if (has("actives") != "") body = body "    " has("actives") " = batch.handles;\n"
    if (has("status") has("statuses") != "")
        body = body "    nuce_tap_batch_use_fortran(&batch, f_" has("status") has("statuses") ", " (has("statuses") != "" ? "count" : "1") ", " (has("done") has("dones") == "" ? 1 : 0) ");\n"
    body = body statements(before) watch(call_name, "pause") inside(call_name, 1)
    body = body waiting(call_name, "real(" pass "error);", real, pass, 1)
    body = body inside(call_name, 0) watch(call_name, "resume")
    body = body "    if (*error == MPI_SUCCESS" (call_name ~ /^(Wait|Test)/ ? " || nuce_tap_is_partly(*error)" : "") ") {\n" tail statements(after) "    }" failure(before) "\n"
    if (needs_batch()) body = body "    nuce_tap_batch_close(&batch);\n"
    body = body watch(call_name, "end")
    print "typedef void nuce_tap_fortran_" call_name "(" types "MPI_Fint *);"
    if (call_name ~ /^Wait/) {
        p = real
        sub(/wait/, "test", p)
        # Testing has a flag before its status; of some there is the number of them.
        declare_fortran(p, call_name == "Waitsome" ? types : types "MPI_Fint *, ")
    }
    make_link("f_" call_name, symbol, real)
    print "static void nuce_tap_note_f_" call_name "(struct nuce_tap_link *link, nuce_tap_fortran_" call_name " *real, " list "MPI_Fint *error)\n{\n    (void)link;\n" body "}\n"
}
