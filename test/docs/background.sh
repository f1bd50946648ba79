# Programs that run next to a page's commands. Their commands are processes of their own, also where npx is a function.
declare -A background shown

# Runs the program on stdin, in place of an earlier one with this name. Returns when it has printed a line.
in_background() {
  end_background "$1"
  # Not by the redirection below, which happens later than this shell goes on: the lines of the earlier program would count.
  : > "$HOME/$1.out"
  bash -c "$(cat)" >> "$HOME/$1.out" 2>&1 3>&- 4>&- < /dev/null &
  background[$1]=$!
  shown[$1]=0
  until_lines "$1" 1
}

# Prints what the program has printed since the last call. Waits up to 15 s for so many lines.
printed_by() {
  until_lines "$1" $((shown[$1] + $2))
  tail -n +$((shown[$1] + 1)) "$HOME/$1.out"
  shown[$1]=$(wc -l < "$HOME/$1.out")
}

until_lines() {
  for _ in $(seq 300); do
    if [ "$(wc -l < "$HOME/$1.out")" -ge "$2" ] || ! kill -0 "${background[$1]}" 2>&-; then return 0; fi
    sleep 0.05
  done
}

end_background() {
  [ -n "${background[$1]}" ] || return 0
  kill "${background[$1]}" 2>&-
  wait "${background[$1]}" 2>&-
  return 0
}

trap 'for name in "${!background[@]}"; do end_background "$name"; done' EXIT
