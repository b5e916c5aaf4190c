#!/bin/bash
# Whether the service in this container is ready; the exit code tells Docker. Not in Node: Docker's checks of a busy
# machine pile up, and a process each of 50 ms would keep it busy.
exec 3<>"/dev/tcp/127.0.0.1/$INTERNAL_PORT" || exit 1
printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
read -t 4 -r _ status _ <&3
[ "$status" = 200 ]
