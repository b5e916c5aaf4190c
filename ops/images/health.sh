#!/bin/bash
# Tells Docker by its exit code whether the service is ready. Not written in Node, which needs 50 ms to start: on a busy
# machine such checks pile up.
exec 3<>"/dev/tcp/127.0.0.1/$INTERNAL_PORT" || exit 1
printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
read -t 4 -r _ status _ <&3
[ "$status" = 200 ]
