#!/bin/sh
# Runs the tasks of deploy/systemd/*.timer one after another, where there is no systemd. A failed command prints the reason and runs again
# in the next hour. Tasks missed while the container was stopped are made up for.
trap 'exit 0' TERM INT

# daily NAME HOUR COMMAND: runs the command from that hour on, until it has succeeded once that day.
daily() {
  name=$1 from=$2
  shift 2
  eval "done=\$$name"
  [ "$done" = "$today" ] || [ "$(date +%H)" -lt "$from" ] || { "$@" && eval "$name=$today"; }
}

while :; do
  prepa payments reconcile
  prepa content publish
  prepa push send
  hour=$(date +%Y-%m-%dT%H)
  if [ "$hour" != "$last" ]; then
    last=$hour
    today=$(date +%F)
    prepa backup /var/lib/prepa-backups
    daily media 2 prepa backup /var/lib/prepa-backups --media
    daily pruned 3 prepa prune
    daily expired 5 prepa enrolments expire
    prepa letters send
  fi
  sleep 300 &
  wait $!
done
