#!/bin/sh
# The kernels on simulated machines: `nuce run --platform`. The same sweep gives the same times twice, other times are
# unknown, and bad platforms are refused with nothing left behind.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# platform HOSTS [ROUTES]: each host its own link, 10 MB/s and 500 us to a switch in the middle; or
# two hosts and these routes.
platform() {
    cat <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>
    <prop id="smpi/bw-factor" value="0:1"/>
    <prop id="smpi/lat-factor" value="0:1"/>
    <prop id="network/weight-S" value="0"/>
    <prop id="network/TCP-gamma" value="0"/>
    <prop id="network/crosstraffic" value="0"/>
  </config>
XML
    [ "$#" -gt 1 ] || printf '  <cluster id="c" prefix="n" suffix="" radical="0-%d" speed="1Gf" bw="10MBps" lat="500us"/>\n' $(($1 - 1))
    [ "$#" -lt 2 ] || cat <<XML
  <zone id="z" routing="Full">
    <host id="n0" speed="1Gf"/>
    <host id="n1" speed="1Gf"/>
    <link id="wire" bandwidth="1MBps" latency="1ms"/>
    $2
  </zone>
XML
    echo '</platform>'
}
platform 12 >flat.xml

cat >sweep.yaml <<'YAML'
name: simulated
workload: exchange
ranks: [2, 11]
sweep: {schedule: [ac, lp, rs-nh, greedy, alltoallv], pattern: uniform, degree: 1, item-bytes: 100KiB}
measure: {launches: 1, warmup: 1, min-samples: 2, max-samples: 2}
YAML

# all_times CAMPAIGN: of every point, to the last digit.
all_times() {
    nuce query --format csv "SELECT point.ranks, schedule, sample.step_s FROM sample JOIN run ON run = run.id
        JOIN point ON point = point.id WHERE campaign = '$1' ORDER BY 1, 2, 3" | tail -n +2
}
prints "10 points: 10 ok" nuce run sweep.yaml --platform flat.xml
all_times simulated.1 >first
same "samples" "$(wc -l <first)" 20
expect 0 nuce run sweep.yaml --platform flat.xml
all_times simulated.2 >second
cmp first second || fail "the same sweep gives other times"

# A mesh that nuce ships is found from there, too.
sed 's/simulated/shipped/; s/schedule: [^]]*]/schedule: ac/; s/pattern: uniform, degree: 1, item-bytes: 100KiB/mesh: wing-2800, item-bytes: 16B/' sweep.yaml >mesh.yaml
prints "2 points: 2 ok" nuce run mesh.yaml --platform flat.xml --campaigns mesh --database mesh.db

# Simulated times are exact: the same again is not a difference, links of 10 % less are found. (Of 2 ranks
# there is no message, and nothing to compare.)
sed 's/10MBps/9MBps/' flat.xml >slower.xml
expect 0 nuce run sweep.yaml --platform slower.xml
prints ", simulated on this machine" nuce status
says stdout "done         all, and collected in nuce.db"
expect 0 nuce compare simulated.1 simulated.2 --kind simulated --format csv
same "the same again" "$(grep -c ',exact,same,' "$work/stdout")" 5
says stderr "5 points left out: some time of theirs is unknown, 0, too short to measure, or of no message"
expect 1 nuce compare simulated.1 simulated.3 --kind simulated --format csv
same "slower links" "$(grep -c ',exact,worse,' "$work/stdout")" 5
rm -r campaigns/simulated.2 campaigns/simulated.3 nuce.db
expect 0 nuce collect

same "kinds" "$(nuce query --format csv "SELECT DISTINCT kind, wait FROM run" | tail -n +2)" simulated,block
same "what packing and scheduling took is unknown" "$(value "SELECT count(*), count(json_extract(metrics, '$.schedule_s')),
    count(sample.pack_s) FROM run JOIN sample ON run = run.id")" 20,0,0
same "hosts in the order of their numbers" "$(paste -sd ' ' campaigns/simulated.1/platform.hosts)" \
    "n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10"
holds_platform=$(sha256sum <flat.xml | cut -d ' ' -f 1)
grep -q "$holds_platform" campaigns/simulated.1/records/*.jsonl || fail "the records do not tell the platform"

# A bundle whose machine is another one, with checksums that fit, is not valid.
expect 0 nuce bundle simulated.1 --output machine.tar.gz
mkdir unpacked
tar -xzf machine.tar.gz -C unpacked
sed -i 's/500us/400us/' unpacked/nuce-bundle/campaigns/simulated.1/platform.xml
(cd unpacked/nuce-bundle && find campaigns -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
tar -czf other.tar.gz -C unpacked nuce-bundle
expect 0 nuce verify machine.tar.gz
expect 1 nuce verify other.tar.gz
says stdout "campaigns/simulated.1/platform.xml: not the machine that runs were simulated on"

# The platform is the campaign's own: the file may be gone.
rm flat.xml
rm campaigns/simulated.1/records/0001.jsonl
prints "10 points: 10 ok" nuce resume simulated.1

# One message of 102400 bytes over two links of 10 MB/s and 500 us: 11.24 ms, and a little for the
# start and the end of a step.
printf '2\n0 1 102400\n' >one.com
cat >two.yaml <<'YAML'
name: simulated
workload: exchange
ranks: 2
sweep: {schedule: [ac, lp, rs-nh, alltoallv], com: one.com}
measure: {launches: 1, warmup: 1, min-samples: 2, max-samples: 2}
YAML
platform 2 >two.xml
expect 0 nuce run two.yaml --platform two.xml
same "a lone message" "$(value "SELECT count(*) FROM result WHERE bytes = 102400
    AND communication_s BETWEEN 0.01124 AND 0.01126")" 4

# Bad platforms.
rm -r campaigns
platform 10 >small.xml
platform 2 '<route src="n0" dst="n1" symmetrical="NO"><link_ctn id="wire"/></route>' >one-way.xml
platform 2 '' >apart.xml
echo '<platform version="4.1"><nonsense/></platform>' >broken.xml
: >empty.xml
# refused SWEEP PLATFORM MESSAGE
refused() {
    refuses "$2" nuce run "$1" --platform "$2"
    says stderr "$3"
    [ ! -e campaigns/simulated.1 ] || fail "$2: a campaign was left"
}
refused sweep.yaml small.xml "10 hosts: expected at least 11"
refused two.yaml one-way.xml "no route from host 'n1' to host 'n0'"
refused two.yaml apart.xml "no route from host 'n0' to host 'n1'"
refused two.yaml broken.xml "Parse error at broken.xml:1"
refused two.yaml empty.xml "expected a SimGrid platform"
refused two.yaml absent.xml "expected a file, or a name of 'nuce list platforms'"
refuses "expected one of them" nuce run two.yaml --modelled --platform small.xml

# A sweep that names its machine: no option, and none beside it but one that takes its place.
cat >named.yaml <<'YAML'
name: named
workload: exchange
ranks: 32
platform: cm5-32
sweep: {schedule: [ac, credits, rs-nh], pattern: uniform, degree: 8, item-bytes: 256B}
measure: {launches: 1, warmup: 1, min-samples: 2, max-samples: 2}
YAML
prints "simulated    on " nuce plan named.yaml
refuses "a simulated machine needs no cluster" nuce submit named.yaml
[ ! -e campaigns ] || fail "submit left a campaign"
prints "3 points: 3 ok" nuce run named.yaml
prints ",256,simulated,rs-nh," nuce table exchange-table5 --format csv
says stdout ",256,paper,rs-nh,"
prints "on cm5-32.xml (environment " nuce table exchange-table5
sed 's/cm5-32/cm5-23/' named.yaml >misnamed.yaml
refuses "misnamed.yaml:4:11: no platform 'cm5-23' (did you mean 'cm5-32'?)" nuce run misnamed.yaml
prints "cm5-32" nuce list platforms
refuses "expected a file, or a name of 'nuce list platforms'" nuce run named.yaml --platform cm6
