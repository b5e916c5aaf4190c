import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listConversations, markRead } from '@sumlock/contracts/messaging-routes'
import type { Client } from '@sumlock/deployment/api-client'
import { unprovision } from '@sumlock/deployment/provision'
import { createKafka } from '@sumlock/dev/engines/kafka'
import { freePorts } from '@sumlock/dev/processes/ports'
import { silent } from '@sumlock/dev/processes/progress'
import { startServices } from '@sumlock/dev/product/services'
import { checkProduct, migratedReleaseData, readLastRelease, unlocked } from '../kit/release/last-release.ts'
import {
  checkOutRelease,
  isCommitPresent,
  removeRelease,
  startRelease,
} from '../kit/release/start-release.ts'

const release = readLastRelease()
// A clone without history has no code of the last release to start.
const whenPresent = (await isCommitPresent(release.commit)) ? it : it.skip
if (whenPresent === it.skip)
  process.stderr.write(
    `  Skipped: this clone has no commit ${release.commit}. Fetch the history to run it.\n`,
  )

const unreadOf = async (client: Client) =>
  (await client.ok(listConversations)).find(({ id }) => id === release.conversationId)?.unreadCount

whenPresent(
  'runs the code of the last release on migrated data, also after new code has written there, as replicas do during a rollout',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'sumlock-release-'))
    const folder = join(parent, 'checkout')
    const migrated = await migratedReleaseData(release)
    // The last release does not sign in at Kafka.
    const [port, controllerPort] = (await freePorts(2)) as [number, number]
    const kafka = await createKafka({ dataDir: parent, port, controllerPort, progress: silent })
    const kafkaAddress = { kafkaBrokers: `127.0.0.1:${port}`, kafkaAdminPassword: '' }
    const data = { ...migrated, addresses: { ...migrated.addresses, ...kafkaAddress } }
    await kafka.start()
    await checkOutRelease(release.commit, folder)
    try {
      const present = await startServices(data)
      try {
        const bob = await unlocked(present.gatewayUrl, release.bob)
        const seq = release.messages.length
        await bob.ok(markRead, { params: { id: release.conversationId }, body: { seq } })
        await checkProduct(present.gatewayUrl, release, 'sent by the new version')
        expect(await unreadOf(bob)).toBe(1)
      } finally {
        await present.stop()
      }
      const old = await startRelease(folder, data)
      try {
        expect(await unreadOf(await unlocked(old.gatewayUrl, release.bob))).toBe(1)
        const contents = await checkProduct(old.gatewayUrl, release, 'sent by the last release')
        expect(contents).toEqual([...release.messages, 'sent by the new version', 'sent by the last release'])
      } finally {
        await old.stop()
      }
    } finally {
      await kafka.stop()
      await removeRelease(folder)
      await rm(parent, { recursive: true, force: true })
      await unprovision(migrated.addresses, migrated.namespace)
    }
  },
)
