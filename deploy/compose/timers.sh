#!/bin/sh
# What deploy/systemd/*.timer do, where there is no systemd: each at its time, one after another. A command that fails has said why; the next hour tries again.
trap 'exit 0' TERM INT
last=
while :; do
  prepa payments reconcile
  hour=$(date +%Y-%m-%dT%H)
  if [ "$hour" != "$last" ]; then
    last=$hour
    prepa backup /var/lib/prepa-backups
    case $hour in
      *T02) prepa backup /var/lib/prepa-backups --media ;;
      *T03) prepa prune ;;
      *T05) prepa enrolments expire ;;
    esac
  fi
  sleep 300 &
  wait $!
done
