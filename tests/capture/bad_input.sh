#!/bin/sh
# Programs that cannot be captured and files that cannot be read are named, with exit status 2.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
compile
nuce=$programs/nuce

expect 2 "$nuce" capture
says stderr "merge FOLDER"
expect 2 "$nuce" capture -o x.capture -- "$mpiexec" -n 2 /bin/true
says stderr "/bin/true: no process called MPI_Init"
expect 2 "$nuce" capture -- ./nope
says stderr "./nope: no such program: expected an application"
expect 2 "$nuce" capture -- "$mpiexec" -n 2 ./nope
says stderr "./nope: no such program: expected an application"
# A name that the launcher looks for itself, which says so first; its own exit status.
expect any "$nuce" capture -o x.capture -- "$mpiexec" -n 2 nope
[ "$status" -ne 0 ] || fail "a program that is not there ended well"
says stderr "nope: no such program: expected an application"
[ -z "$(ls -d x.capture* 2>/dev/null)" ] || fail "something is left of a program that is not there"
expect 2 "$nuce" show x.capture
says stderr "x.capture: no such file: expected a capture ('nuce capture')"
# Its own status, or nuce's where the launcher was ended by writing to a rank that had ended already (SIGPIPE).
expect any "$nuce" capture -o x.capture -- "$mpiexec" -n 1 /bin/false
case $status in
    1 | 2) ;;
    *) fail "/bin/false ended with $status, expected 1" ;;
esac
mkdir launcher
cat >launcher/mpiexec <<END
#!/bin/sh
"$mpiexec" "\$@" || exit
case "\$*" in *bin/true) kill -PIPE \$\$ ;; esac
END
chmod +x launcher/mpiexec
expect 2 "$nuce" capture -o x.capture -- launcher/mpiexec -n 1 /bin/true
says stderr "no process called MPI_Init"
[ -z "$(ls -d x.capture* 2>/dev/null)" ] || fail "something is left of what was refused"
echo 'int main(void) { return 0; }' >static.c
cc -static -o static static.c 2>/dev/null && {
    expect 2 "$nuce" capture -o x.capture -- "$mpiexec" -n 2 ./static
    says stderr "./static is linked statically"
}
for other in mpich openmpi; do
    [ "$other" != "$mpi" ] || continue
    command -v "mpicc.$other" >/dev/null || continue
    "mpicc.$other" -w -O1 -o other "$here/$source" -lpthread
    expect 2 "$nuce" capture -o x.capture -- "$mpiexec" -n 2 ./other waitall
    says stderr "./other is linked with"
    # Behind a shell it is found where it starts.
    expect 2 "$nuce" capture -o x.capture -- "$mpiexec" -n 2 sh -c './other waitall'
    says stderr "/other: is of another MPI library"
    [ -z "$(ls -d x.capture* 2>/dev/null)" ] || fail "something is left of another library's"
done
expect 2 "$nuce" capture -o x.capture -- ./nothing
says stderr "./nothing"
expect 2 "$nuce" capture -o /nonexistent/x.capture -- "$mpiexec" -n 2 ./styles waitall
says stderr "/nonexistent/x.capture.parts: No such file"
# No room: the application continues without a message, and nuce says why there is no capture, or what is missing.
# Only a user who may mount a full disk can test it.
expect 0 "$nuce" capture -o x.capture -- "$mpiexec" -n 2 ./styles limited
says stderr "records without room"
rm x.capture
mkdir disk
if mount -t tmpfs -o size=40k tmpfs disk 2>/dev/null; then
    expect 1 "$nuce" capture -o disk/x.capture -- "$mpiexec" -n 2 ./styles waitall
    umount disk
    says stderr "the ranks had no room in "
    says stderr "its file cannot be made: No space left on device"
    [ "$(wc -l <counts.1)" -eq 28 ] || fail "the application did not run to its end"
fi
# Neither raw files nor the capture find room: the loss is still reported.
if mount -t tmpfs -o size=128k tmpfs disk 2>/dev/null; then
    expect any "$nuce" capture -o disk/x.capture -- "$mpiexec" -n 2 ./styles unlike
    umount disk
    grep -q ': [0-9]* records had no room: .*disk/x.capture: ' stderr || fail "it is not said how much was lost"
fi
rmdir disk
(
    ulimit -f 8
    expect any "$nuce" capture -o x.capture -- ./styles waitall
    says stderr "ended by the limit of file sizes (ulimit -f)"
) 2>limited || { [ "$mpi" != mpich ] || fail "$(cat limited)"; } # Open MPI ends otherwise
mkdir x.capture.parts
expect 2 "$nuce" capture -o x.capture -- "$mpiexec" -n 2 ./styles waitall
says stderr "nuce capture merge x.capture.parts"
expect 2 "$nuce" capture merge x.capture.parts -o x.capture
says stderr "no rank left data"
expect 2 "$nuce" capture merge nothing -o x.capture
says stderr "nothing: No such file"
rmdir x.capture.parts

expect 0 "$nuce" capture -o x.capture -- "$mpiexec" -n 2 ./styles waitall
expect 0 "$nuce" show x.capture
says stdout "exchange exact"
expect 0 "$nuce" export x.capture --format com
while read -r file; do
    [ "$(sed -n 2p "$file")" = 2 ] || fail "$file is not for 2 ranks"
done <stdout
expect 0 "$nuce" export x.capture --format com --call 1
says stdout "# pattern"
expect 2 "$nuce" export x.capture --format com --call 77
says stderr "call"
expect 2 "$nuce" export x.capture
says stderr "expected json or com"
expect 2 "$nuce" export result --format com
head -c 200 x.capture >short.capture
expect 2 "$nuce" show short.capture
says stderr "short.capture: cut short"
python3 -c 'import sys
data = bytearray(open("x.capture", "rb").read())
data[-5] ^= 1
open("flipped.capture", "wb").write(data)'
expect 2 "$nuce" export flipped.capture --format json
says stderr "flipped.capture: altered: its checksum does not fit"
sed 's/nuce capture 6/nuce capture 9/' x.capture >newer.capture
expect 2 "$nuce" show newer.capture
says stderr "newer.capture: of another version: expected 'nuce capture 6'"
echo nonsense >nonsense
expect 2 "$nuce" show nonsense
says stderr "nonsense: expected a capture of nuce"
