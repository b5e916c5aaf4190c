import { join } from 'node:path'
import { initiateSet } from '@sumlock/deployment/initiate-set'
import { createUsers } from '@sumlock/deployment/provision'
import { loadSecrets } from '@sumlock/deployment/secrets'
import { setting } from '../config.ts'

// Makes MongoDB a replica set with one user per service. It must run in the network of the database itself (Compose's
// network_mode), because MongoDB lets only localhost create the first user.
const secrets = await loadSecrets(join(setting('SECRETS_FOLDER'), 'kept/secrets.json'))
const member = setting('MONGO')
const address = `127.0.0.1:${member.split(':')[1]}`
await initiateSet({ address, member, adminPassword: secrets.mongoAdminPassword })
const mongoAdminUrl = `mongodb://admin:${secrets.mongoAdminPassword}@${address}/admin?directConnection=true&authSource=admin`
await createUsers({ mongoAdminUrl }, secrets, setting('SUMLOCK_NAMESPACE'))
process.stdout.write(`init-mongo: ${member} is a replica set with a user per service\n`)
