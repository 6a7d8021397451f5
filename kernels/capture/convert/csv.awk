# Traffic matrices -> calls (docs/capture-formats.md): P rows of P numbers of bytes, row by source, or a head
# line source,destination,bytes and a line per message. Each file is one call, of kind matrix.
#     awk -f csv.awk [-v unit=BYTES] [-v ranks=P] FILE.csv... >FILE.calls
# Cells stand between commas, semicolons, tabs or blanks, perhaps in quotes; # begins a comment. Lines
# end in LF, CR LF or CR. unit: bytes of numbers without a unit; ranks: of a list whose last ranks
# send nothing. Errors name file:line:column; the exit status is then 2.

function fail(at, message) {
    gsub(/[^ -~]/, "?", message)
    message = file ":" number ":" at ": " message
    print message >"/dev/stderr"
    printf "\n%s\n", message # for nuce: other programs write to stderr too
    failed = 1
    exit 2
}

# The column of the k-th cell of the line; behind the last one the line's end.
function place(k,    at) {
    for (at = 1; k <= cells; at += RLENGTH) {
        match(substr(text, at), /^[ \t\v\f]*/)
        at += RLENGTH
        if (--k == 0)
            return at
        match(substr(text, at), /^[^,; \t\v\f]*[ \t\v\f]*[,;]?/)
    }
    return length(text) + 1
}

function refuse(k, expected) {
    fail(place(k), "'" substr(cell[k], 1, 40) "': expected " expected)
}

# Splits the line into cell[1..cells]; none may be empty. What is in a pair of quotes is one cell.
function take_cells(what,    bare, k) {
    if (text ~ /"/) {
        match(text, /^(([^"]*[,; \t])?"[ \t]*[^",; \t]*[ \t]*"([,; \t]|$))*[^"]*/)
        if (RLENGTH < length(text))
            fail(RLENGTH + 1, "'" substr(text, RLENGTH + 1, 40) "': expected one cell in a pair of quotes")
        gsub(/"/, " ", text)
    }
    bare = text
    gsub(/^[ \t\v\f]+|[ \t\v\f]+$/, "", bare)
    # The usual line is split in a tenth of the time.
    cells = bare ~ /[; \t\v\f]/ ? split(bare, cell, /[ \t\v\f]*[,;][ \t\v\f]*|[ \t\v\f]+/) : split(bare, cell, /,/)
    for (k = 1; k <= cells; k++)
        if (cell[k] == "")
            fail(k < cells ? place(k) : length(text) + 1, \
                (k < cells ? "an empty cell" : "the line ends behind a separator") ": expected " what)
}

# The k-th cell as bytes, as nuce reads them elsewhere: 4096, 4KiB, 4K, 1.5kB, 1e6.
function bytes(k,    name, value) {
    if (cell[k] ~ /^[0-9]+$/)
        value = cell[k] * unit
    else {
        name = cell[k]
        sub(/^[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?/, "", name)
        value = substr(cell[k], 1, length(cell[k]) - length(name)) * (name == "" ? unit : factor[name])
        if (cell[k] !~ /^[0-9]/ || factor[name] == "" || (value <= most && value != int(value)))
            refuse(k, "bytes, such as 4096 or 4KiB")
    }
    if (value > most)
        refuse(k, "at most 16TiB")
    return value
}

function print_ranks() {
    if (!headed++)
        print "ranks " ranks
}

function rank(k, what,    last) {
    last = (ranks ? ranks : 65536) - 1
    if (k > cells)
        fail(place(k), "the line ends here: expected source,destination,bytes")
    if (cell[k] !~ /^[0-9]+$/ || cell[k] + 0 > last)
        refuse(k, "the " what " rank, 0 to " last)
    rows = cell[k] + 0 >= rows ? cell[k] + 1 : rows
    return cell[k] + 0
}

function take_line(    k, source, destination, value) {
    take_cells(form == "list" ? "source,destination,bytes" : "bytes")
    if (form == "" && cell[1] ~ /^[A-Za-z]/) {
        form = "list"
        if (cells != 3 || tolower(cell[1] cell[2] cell[3]) != "sourcedestinationbytes")
            fail(place(1), "expected a row of bytes, or source,destination,bytes")
    } else if (form == "list") {
        source = rank(1, "source")
        destination = rank(2, "destination")
        if (cells != 3)
            fail(place(cells < 3 ? 3 : 4), "the line " (cells < 3 ? "ends here" : "goes on") ": expected source,destination,bytes")
        value = bytes(3)
        if (value > 0)
            row[source] = row[source] " " destination ":" sprintf("%.0f", value)
    } else {
        form = "matrix"
        if (ranks && rows == ranks)
            fail(place(1), "row " rows + 1 ": expected " ranks " rows, as many as cells in one")
        if (ranks && cells > ranks)
            fail(place(ranks + 1), "'" substr(cell[ranks + 1], 1, 40) "': the row goes on: expected " ranks " cells, as many as rows")
        if (ranks && cells < ranks)
            fail(length(text) + 1, "the row ends after " cells " cells: expected " ranks ", as many as rows")
        ranks = cells
        print_ranks()
        printf "%d matrix", rows++
        for (k = 1; k <= cells; k++) {
            value = bytes(k)
            if (value > 0)
                printf " %d:%.0f", k - 1, value
        }
        printf "\n"
    }
}

# The file is over: its rows are a call of all ranks.
function finish(    i) {
    number++
    if (form == "")
        fail(1, "the file is empty: expected rows of bytes, or a head line source,destination,bytes")
    if (form == "matrix" && rows < ranks)
        fail(1, "the file ends after " rows " rows: expected " ranks ", as many as cells in one")
    if (rows == 0 && !ranks)
        fail(1, "the file ends here: expected source,destination,bytes")
    ranks = ranks ? ranks : rows
    print_ranks()
    for (i = 0; form == "list" && i < ranks; i++)
        if (i == 0 || i in row)
            print i " matrix" row[i]
    split("", row)
    form = ""
    rows = number = 0
}

BEGIN {
    unit = unit ? unit : 1
    most = 17592186044416
    rows = 0
    factor[""] = 1
    split("B 1 kB 1e3 KB 1e3 MB 1e6 GB 1e9 TB 1e12 k 1024 K 1024 M 1048576 G 1073741824 T 1099511627776", word)
    for (i = 1; i in word; i += 2)
        factor[word[i]] = word[i + 1] + 0
    for (i = 1; i <= 4; i++) {
        letter = substr("KMGT", i, 1)
        factor[letter "i"] = factor[letter "iB"] = factor[letter]
    }
    for (i = 1; i < ARGC; i++) { # awk passes over an empty file
        file = ARGV[i]
        if ((getline text <file) < 1)
            finish()
        close(file)
    }
    file = ""
}

FNR == 1 {
    if (file != "")
        finish()
    file = FILENAME
    sub(/^\357\273\277/, "")
}

{
    count = split($0, line, "\r")
    for (i = 1; i <= count || i == 1; i++) {
        if (i > 1 && i == count && line[i] == "")
            break # of CR LF
        number++
        text = line[i]
        sub(/#.*/, "", text)
        if (text !~ /^[ \t\v\f]*$/)
            take_line()
    }
}

END {
    if (!failed && file != "")
        finish()
}
