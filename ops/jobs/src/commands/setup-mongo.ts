import { initiateRemoteSet, remoteAdminUrl } from '@sumlock/deployment/initiate-remote-set'
import { createUsers } from '@sumlock/deployment/provision'
import type { Secrets } from '@sumlock/deployment/secrets'
import { setting } from '../config.ts'
import { runJob, waitFor } from '../run-job.ts'

// Makes the MongoDB of the cluster's local overlay a replica set with one user per service. Safe to repeat.
await runJob('setup-mongo', async (logger) => {
  const set = { member: setting('MONGO_MEMBER'), adminPassword: setting('MONGO_ADMIN_PASSWORD') }
  const mongoPasswords = JSON.parse(setting('MONGO_PASSWORDS')) as Secrets['mongoPasswords']
  await waitFor(`MongoDB at ${set.member}`, () => initiateRemoteSet(set), logger)
  await createUsers({ mongoAdminUrl: remoteAdminUrl(set) }, { mongoPasswords }, setting('SUMLOCK_NAMESPACE'))
  return `${set.member} is a replica set with a user per service`
})
