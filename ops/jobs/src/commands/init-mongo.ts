import { join } from 'node:path'
import { initiateSet } from '@sumlock/deployment/initiate-set'
import { createUsers } from '@sumlock/deployment/provision'
import { loadSecrets } from '@sumlock/deployment/secrets'
import { setting } from '../config.ts'
import { runJob } from '../run-job.ts'

// Makes MongoDB a replica set with one user per service. It must run in the network of the database itself (Compose's
// network_mode), because MongoDB lets only localhost create the first user.
await runJob('init-mongo', async () => {
  const secrets = await loadSecrets(join(setting('SECRETS_FOLDER'), 'kept/secrets.json'))
  const member = setting('MONGO')
  const address = `127.0.0.1:${member.split(':')[1]}`
  await initiateSet({ address, member, adminPassword: secrets.mongoAdminPassword })
  const mongoAdminUrl = `mongodb://admin:${secrets.mongoAdminPassword}@${address}/admin?directConnection=true&authSource=admin`
  await createUsers({ mongoAdminUrl }, secrets, setting('SUMLOCK_NAMESPACE'))
  return `${member} is a replica set with a user per service`
})
