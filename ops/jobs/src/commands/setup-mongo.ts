import { initiateRemoteSet, remoteAdminUrl } from '@sumlock/deployment/initiate-remote-set'
import { createUsers } from '@sumlock/deployment/provision'
import type { Secrets } from '@sumlock/deployment/secrets'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { setting } from '../config.ts'

// Makes the MongoDB of the cluster's local overlay a replica set with one user per service. Safe to repeat.
const set = { member: setting('MONGO_MEMBER'), adminPassword: setting('MONGO_ADMIN_PASSWORD') }
const mongoPasswords = JSON.parse(setting('MONGO_PASSWORDS')) as Secrets['mongoPasswords']
await waitUntil(
  `MongoDB at ${set.member} to become a replica set`,
  () => initiateRemoteSet(set).then(() => true),
  {
    timeoutMs: 120_000,
  },
)
await createUsers({ mongoAdminUrl: remoteAdminUrl(set) }, { mongoPasswords }, setting('SUMLOCK_NAMESPACE'))
process.stdout.write(`setup-mongo: ${set.member} is a replica set with a user per service\n`)
