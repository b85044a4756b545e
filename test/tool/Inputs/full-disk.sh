# Writes to a full disk in every way there is. Usage: full-disk.sh TOOL, in a
# mount namespace of its own, beside the files that full-disk.test makes.
tool=$1
mount -t tmpfs -o size=32k none disk
cp k.cu old disk
dd if=/dev/zero of=disk/fill bs=4k 2> /dev/null || true

try() {
  echo "$1"
  shift
  status=0
  "$tool" --cuda=bundled "$@" 2>&1 > out || status=$?
  grep -E '^[0-9]+ finding' out || true
  echo "exit $status"
}
try fix --fix-notes disk/k.cu other.cu
cmp k.cu disk/k.cu
try baseline --write-baseline disk/old k.cu
try output --output=json=disk/old k.cu
try fixes --export-fixes=disk/old k.cu
try commands -p db --export-compile-commands=disk/old
cmp old disk/old
echo files: $(ls -A disk)
