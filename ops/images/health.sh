#!/bin/bash
# Reports by its exit code to Docker whether the service is ready. Node would need 50 ms to start, and on a busy machine
# such checks pile up.
exec 3<>"/dev/tcp/127.0.0.1/$INTERNAL_PORT" || exit 1
printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
read -t 4 -r _ status _ <&3
[ "$status" = 200 ]
