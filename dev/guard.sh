#!/bin/sh
# Runs beside a Node process and outlives it by a moment: orders come in on standard input, and when that
# ends, however the process went (even by SIGKILL), the processes still on the list are ended and the folders
# on the list are removed.
#
#   watch SIGNAL PID    end this process group with SIGNAL, and with KILL if it is still there five seconds later
#   forget PID          it ended
#   folder PATH         remove this folder
#   keep PATH           it is gone, or somebody wants to look at it

newline='
'
processes=$newline
folders=$newline

while IFS= read -r order; do
  # The x keeps $(...) from stripping the last newline.
  rest=${order#* }
  case $order in
    watch\ *) processes=$processes$rest$newline ;;
    forget\ *)
      processes=$(printf '%s' "$processes" | grep -v " $rest\$"; printf x)
      processes=${processes%x}
      ;;
    folder\ *) folders=$folders$rest$newline ;;
    keep\ *)
      folders=$(printf '%s' "$folders" | grep -vxF -e "$rest"; printf x)
      folders=${folders%x}
      ;;
  esac
done

each() { # command: once per listed process, with its signal and id
  printf '%s' "$processes" | while read -r signal pid; do
    [ -z "$pid" ] || "$1" "$signal" "$pid"
  done
}
first() { kill -s "$1" -- "-$2" 2>/dev/null; }
last() { kill -s KILL -- "-$2" 2>/dev/null; }
alive() { kill -s 0 -- "-$2" 2>/dev/null && echo "$2"; }

each first
tries=50
while [ "$tries" -gt 0 ] && [ -n "$(each alive)" ]; do
  tries=$((tries - 1))
  sleep 0.1
done
each last

printf '%s' "$folders" | while IFS= read -r folder; do
  [ -z "$folder" ] || rm -rf -- "$folder"
done
