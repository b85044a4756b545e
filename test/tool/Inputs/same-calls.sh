# Usage: same-calls.sh TOOL FILE. Where the steps of a kernel end must not hang
# on the others of the file: told of all of them, and of each alone.
ended() {
  "$TOOL" --cuda=bundled --skipped -j1 \
    --config="{CheckOptions: {StepBudget: $STEPS}}" "$FILE" -- "$@" |
    grep 'step budget of .* exceeded$'
}

TOOL=$1
FILE=$2
: > together
: > alone
for STEPS in 30 60 90 120 150 180 200 220 240 260 280 300 320 340 360; do
  ended >> together
  for KERNEL in 1 2 3; do
    ended "-DONLY=$KERNEL" >> alone
  done
done
sort together > together.sorted
sort alone > alone.sorted
test -s alone && cmp together.sorted alone.sorted
