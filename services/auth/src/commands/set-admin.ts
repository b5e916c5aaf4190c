import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { readConfig } from '../config.ts'
import { usernameKey } from '../domain/user.ts'
import { createSessionStore } from '../stores/session-store.ts'
import { createUserStore } from '../stores/user-store.ts'

// Run it with auth's environment: `node services/auth/src/commands/set-admin.ts <username>`.
const [username] = process.argv.slice(2)
if (!username) {
  process.stderr.write('Usage: set-admin.ts <username>\n')
  process.exit(1)
}
const config = readConfig()
const logger = createLogger({ service: 'auth', instance: 'set-admin', level: 'info' })
const connection = await connectMongo(config.MONGO_URL, logger)
const users = createUserStore(connection)
const found = await users.makeAdmin(usernameKey(username))
const user = await users.byUsernameKey(usernameKey(username))
if (user) await createSessionStore(connection, systemClock(config.CLOCK_OFFSET_MS)).markAdmin(user._id)
await connection.close()
if (found) logger.info({ username }, 'the user is an administrator now')
else logger.error({ username }, 'there is no such user')
process.exit(found ? 0 : 1)
