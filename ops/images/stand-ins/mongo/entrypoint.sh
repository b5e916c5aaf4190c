#!/bin/bash
# As the published image does, this creates the administrator in an empty folder, then runs the server.
set -e
[ "${1:0:1}" = - ] && set -- mongod "$@"
if [ -n "$MONGO_INITDB_ROOT_USERNAME" ] && [ ! -e /data/db/WiredTiger ]; then
  mongod --dbpath /data/db --bind_ip 127.0.0.1 --fork --logpath /tmp/first-start.log
  mongosh --quiet admin --eval 'db.createUser({
    user: process.env.MONGO_INITDB_ROOT_USERNAME, pwd: process.env.MONGO_INITDB_ROOT_PASSWORD, roles: ["root"] })'
  mongod --dbpath /data/db --shutdown
fi
exec "$@"
