#!/bin/sh
# nuce compare of files that other benchmarks wrote: tables of OSU and IMB, JSON of hyperfine, performance logs of
# ReFrame. Ratios are planned; other files are refused with the place, and one value per side gives no verdict.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# ratios FROM TO: those of all points lie between the two.
ratios() {
    column ratio | awk -v from="$1" -v to="$2" '$1 < from || $1 > to { exit 1 } END { exit NR == 0 }' || {
        cat "$work/stdout" >&2
        fail "a ratio is not between $1 and $2"
    }
}

# launches COUNT FILE FACTOR: the fixture on stdin so often, with each word @NUMBER as that number times the factor,
# by up to 1 % more or less from launch to launch.
launches() {
    cat >fixture
    : >"$2"
    for k in $(seq 1 "$1"); do
        awk -v k="$k" -v factor="$3" '{
            while (match($0, /@[0-9.]+/)) {
                number = substr($0, RSTART + 1, RLENGTH - 1) * factor * (1 + 0.01 * ((k * 3) % 5 - 2) / 2)
                $0 = substr($0, 1, RSTART - 1) sprintf("%.4f", number) substr($0, RSTART + RLENGTH)
            }
            print
        }' fixture >>"$2"
    done
}

# OSU: latency, an output before version 7, each launch a file of its own.
latency() {
    launches "$1" "$2" "$3" <<'EOT'
[node1:2290964] a line of a launcher
# OSU MPI Latency Test v5.9
# Size          Latency (us)
0                       @1.60
1024                    @2.30
65536                  @12.04

EOT
}
for k in 1 2 3 4 5; do
    latency "$k" all "1" && tail -n 7 all >"old.$k.txt"
    latency "$k" all "1.2" && tail -n 7 all >"new.$k.txt"
done
old=old.1.txt,old.2.txt,old.3.txt,old.4.txt,old.5.txt
new=new.1.txt,new.2.txt,new.3.txt,new.4.txt,new.5.txt
expect 1 nuce compare "$old" "$new" --format csv
ratios 1.19 1.21
same "launches" "$(column a_launches | sort -u)+$(column b_launches | sort -u)" 5+5
same "points" "$(column instance | sort)" "$(printf 'bytes=0\nbytes=1024\nbytes=65536')"
same "ranks that no file says" "$(column ranks | sort -u)" ""
expect 1 nuce compare "$old" "$new"
says stdout "A = file old.1.txt, old.2.txt"
tells "Verdict: worse, unless the machine changed."
tells "files do not say if their launches took turns"
tells "nuce race --series 2 --unit us -- COMMAND OF A -- COMMAND OF B"
expect 0 nuce compare "$new" "$old" --format json
same "faster" "$(grep -c '"verdict":"faster".*"ranks":null' "$work/stdout")" 3
# The same in one file: a table that occurs five times is five launches.
latency 5 old.txt 1
latency 5 new.txt 1.2
expect 1 nuce compare old.txt new.txt --format csv
same "launches of one file" "$(column a_launches | sort -u)" 5
expect 0 nuce compare file:old.txt old.1.txt,old.2.txt,old.3.txt --format csv
# One value a side.
expect 3 nuce compare old.1.txt new.1.txt
tells "One launch has no interval."
tells "Verdict: inconclusive"
tells "Next: one value per side has no interval. A race measures one: 'nuce race --series 2 --unit us"
expect 3 nuce compare old.1.txt new.1.txt --format csv
same "no interval" "$(column ratio_low | sort -u)$(column verdict | sort -u)" inconclusive

# OSU 7 with --full: the mean is compared, not the extremes. The datatype belongs to the point.
broadcast() {
    launches 4 "$1" "$2" <<'EOT'

# OSU MPI Broadcast Latency Test v7.5
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
1                      @2.24              0.42              2.94        5000
2                      @2.23              0.42              2.92        5000
# Datatype: MPI_INT.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
4                      @4.24              0.42              2.94        5000
EOT
}
broadcast old.txt 1
broadcast new.txt 1.001
expect 0 nuce compare old.txt new.txt --format csv
same "same" "$(column verdict | sort | uniq -c | tr -s ' ')" " 3 same"
same "datatypes" "$(column instance | grep -c "Datatype: MPI_INT.")" 1

# Bandwidths: higher is better.
bandwidth() {
    launches 4 "$1" "$2" <<'EOT'
# OSU MPI Multiple Bandwidth / Message Rate Test v5.7
# [ pairs: 2 ] [ window size: 64 ]
# Size                  MB/s        Messages/s
1                      @6.39        6385003.80
65536               @9000.12         137331.00
EOT
}
bandwidth old.txt 1
bandwidth new.txt 1.3
expect 0 nuce compare old.txt new.txt --format csv
ratios 0.76 0.78
expect 1 nuce compare new.txt old.txt --format csv
expect 1 nuce compare new.txt old.txt
tells "nuce race --series 2 --unit MB/s --better higher --"
awk '{ printf "%s\r\n", $0 }' old.txt >crlf.txt
expect 0 nuce compare old.txt crlf.txt --format csv
same "lines that end in CR LF" "$(column verdict | tr '\n' ' ')" "same same "
sed 's/pairs: 2/pairs: 4/' old.txt >pairs.txt
refuses "have no point with measured times in common" nuce compare old.txt pairs.txt

# IMB: several benchmarks and numbers of ranks; the mean of the times, which are not the rate's.
imb() {
    launches 3 "$1" "$2" <<'EOT'
#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part
#----------------------------------------------------------------
# Date                  : Mon Jul 28 06:36:04 2025
# List of Benchmarks to run:

# PingPong
# Alltoall

#---------------------------------------------------
# Benchmarking PingPong 
# #processes = 2 
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000        @1.66         0.00
            8         1000        @1.67         4.81

#----------------------------------------------------------------
# Benchmarking Alltoall 
# #processes = 2 
# ( 2 additional processes waiting in MPI_Barrier)
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
        32768         1000        10.01        10.02       @10.02

#----------------------------------------------------------------
# Benchmarking Alltoall 
# #processes = 4 
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
        32768         1000        20.01        20.02       @20.02
      4194304 out-of-mem.; needed X=   1.501 GB; use flag "-mem X" or MAX_MEM_USAGE>=X (IMB_mem_info.h)
      8388608 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use option "-time X"

#---------------------------------------------------
# Benchmarking Barrier 
# #processes = 4 
#---------------------------------------------------
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         0.91         1.12        @1.02

# All processes entering MPI_Finalize
EOT
}
imb old.txt 1
imb new.txt 1.5
expect 1 nuce compare old.txt new.txt --format csv
ratios 1.49 1.51
same "IMB's points" "$(column ranks | sort | uniq -c | tr -s ' ' | tr '\n' ';')" " 3 2; 2 4;"
same "IMB's launches" "$(column a_launches | sort -u)" 3
# Two modes of one call, and groups that run at the same time, are measurements of their own.
modes() {
    launches 3 "$1" "$2" <<'EOT'
# Benchmarking Unidir_Put 
# #processes = 2 
#
#    MODE: AGGREGATE 
#
       #bytes #repetitions      t[usec]   Mbytes/sec
            4         1000        @0.05        76.29
# Benchmarking Unidir_Put 
# #processes = 2 
#
#    MODE: NON-AGGREGATE 
#
       #bytes #repetitions      t[usec]   Mbytes/sec
            4          100        @9.00         0.42
# Benchmarking Multi-Bcast 
# ( 4 groups of 2 processes each running simultaneous ) 
# Group  0:     0    1 
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects
            4         1000         1.00         1.00        @1.00         0.00
# Benchmarking Multi-Bcast 
# ( 2 groups of 4 processes each running simultaneous ) 
 Group      #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
     0           4         1000         3.00         3.00        @3.00
     1           4         1000         4.00         4.00        @4.00
EOT
}
modes old.txt 1
modes new.txt 1.5
expect 1 nuce compare old.txt new.txt --format csv
ratios 1.49 1.51
same "points of modes and groups" "$(column instance | sort | tr '\n' ';')" "benchmark=Multi-Bcast in 2 groups \
group=0;benchmark=Multi-Bcast in 2 groups group=1;benchmark=Multi-Bcast in 4 groups;\
benchmark=Unidir_Put AGGREGATE;benchmark=Unidir_Put NON-AGGREGATE;"
sed 's/ 0.00$/ 3.00/' new.txt >bad.txt
refuses "bad.txt:19:76: 3: wrong results: expected 0 defects" nuce compare old.txt bad.txt

# hyperfine: each time is a launch. Parameters or commands identify the points.
cat >old.json <<'EOT'
{"results": [{"command": "./app.old in.dat", "mean": 0.5012, "stddev": 0.002, "median": 0.501, "user": 0.4,
  "system": 0.01, "min": 0.498, "max": 0.505, "times": [0.498, 0.501, 0.505, 0.502, 0.5], "exit_codes": [0, 0, 0, 0, 0]}]}
EOT
sed 's/app.old/app.new/; s/0\.5,/0.45,/; s/0\.50\([0-9]\)/0.45\1/g; s/0\.498/0.448/g' old.json >new.json
expect 0 nuce compare old.json new.json --format csv
ratios 0.895 0.905
same "times" "$(column a_launches)+$(column b_launches) $(column verdict)" "5+5 faster"
expect 0 nuce compare old.json new.json
tells "'nuce race -- COMMAND OF old.json -- COMMAND OF new.json'"
sed 's/"exit_codes": \[0, 0/"exit_codes": [0, 1/' old.json >failed.json
expect 0 nuce compare old.json failed.json --format csv
same "launches that did not fail" "$(column b_launches)" 4
sed 's/"times": [^]]*\], //; s/, "exit_codes": [^]]*\]//' old.json >mean.json
sed 's/0\.5012/0.7012/' mean.json >mean2.json
expect 3 nuce compare mean.json mean2.json --format csv
same "means" "$(column ratio_low)$(column verdict)" inconclusive
python3 - <<'PYTHON'
import json
for name, factor, program in ("old", 1, "./old"), ("new", 1.1, "./new"):
    def result(command, base, **more):
        return {"command": command, "times": [base * factor * (1 + 0.001 * k) for k in range(5)], **more}
    json.dump({"results": [result(f"{program} -t {n}", 1 / n, parameters={"threads": str(n)}) for n in (1, 2, 16)]},
              open(f"scan-{name}.json", "w"))
    json.dump({"results": [result("make a", 1), result("make b", 2)]}, open(f"commands-{name}.json", "w"))
PYTHON
expect 1 nuce compare scan-old.json scan-new.json --format csv
ratios 1.099 1.101
same "a parameter" "$(column instance | sort -t = -k 2 -n | tr '\n' ' ')" "threads=1 threads=2 threads=16 "
expect 1 nuce compare commands-old.json commands-new.json --format csv
same "commands" "$(column contender | sort | tr '\n' ' ')" "make a make b "

# ReFrame 4: one line per run, one column per variable; the unit decides which direction is better.
log() {
    echo "result|job_completion_time|descr|environ|jobid|name|num_tasks|copy_bw_value|copy_bw_unit|elapsed_value|elapsed_unit|checked_value|checked_unit|system" >"$1"
    launches 4 lines "$2" <<'EOT'
pass|2024-02-21T22:51:16|a stream|gnu|65|stream_test|4|@21116.7|MB/s|null|null|12|items|pseudo-cluster
pass|2024-02-21T22:51:19|a stream|clang|66|stream_test|4|@18405.7|MB/s|null|null|12|items|pseudo-cluster
EOT
    cat lines >>"$1"
    launches 4 lines "$3" <<'EOT'
pass|2024-02-21T22:51:29|a job|gnu|66|job_test|8|null|null|@3.25|s|null|null|pseudo-cluster
EOT
    cat lines >>"$1"
}
log old.log 1 1
log new.log 0.8 1.25
expect 1 nuce compare old.log new.log --format csv
ratios 1.24 1.26
same "points of a log" "$(column ranks | sort | tr '\n' ' ')" "4 4 8 "
says stderr "2 points left out: some value is 0, or its unit says neither time nor rate"
# A variable a line, with commas.
for name in old new; do
    echo "check_job_completion_time,check_display_name,check_environ,check_perf_var,check_perf_value,check_perf_unit"
    launches 3 lines "$(test $name = old && echo 1 || echo 0.5)" <<'EOT'
2024-02-21T22:51:16,gromacs %n=2,gnu,perf,@80.5,ns/day
EOT
    cat lines
done >all.log
sed -n 1,4p all.log >old.log
sed -n 5,8p all.log >new.log
expect 1 nuce compare old.log new.log --format csv
ratios 1.99 2.01

# Refusals name the file and the place.
unknown="expected a table of OSU's or IMB's benchmarks, JSON of hyperfine (--export-json), or a performance log of ReFrame"
latency 2 old.txt 1
echo hello world >hello.txt
: >empty.txt
refuses "hello.txt:1:1: 'hello world': $unknown" nuce compare old.txt hello.txt
refuses "empty.txt:1:1: '': $unknown" nuce compare empty.txt old.txt
refuses "none.txt: No such file or directory" nuce compare old.txt none.txt
refuses "file old.txt is given twice" nuce compare old.txt old.txt
refuses "file old.txt is given twice" nuce compare old.txt,old.txt old.1.txt
refuses "--campaign: expected none beside files" nuce compare old.txt old.1.txt --campaign x
printf '# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n1   1.2\n2   oops\n' >bad.txt
refuses "bad.txt:4:5: 'oops' is not a finite number; expected a value in us" nuce compare bad.txt old.txt
printf '# OSU MPI Latency Test v5.9\n# Size   Latency (us)  Validation\n1   1.2  Fail\n' >bad.txt
refuses "bad.txt:3:10: 'Fail': a wrong result: expected Pass" nuce compare bad.txt old.txt
printf '# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n' >bad.txt
refuses "bad.txt: no value: $unknown" nuce compare bad.txt old.txt
head -c 250 all.log >bad.log
refuses "bad.log:4:1: " nuce compare bad.log old.log
sed '3s/,[0-9.]*,ns/,x,ns/' old.log >bad.log
refuses "bad.log:3:43: 'x': expected a number" nuce compare bad.log old.log
echo '{"results": [{"command": "x", "times": [1, -2]}]}' >bad.json
refuses "bad.json: results[0]: expected a command and its times above 0" nuce compare old.json bad.json
echo '{"results": ' >bad.json
refuses "bad.json:2: unexpected token near end of file; $unknown" nuce compare old.json bad.json
echo '{"results": []}' >bad.json
refuses "bad.json: no list 'results'" nuce compare old.json bad.json
refuses "have no point with measured times in common" nuce compare old.json old.txt
