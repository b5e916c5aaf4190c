import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { login } from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { markRead, sendMessage } from '@sumlock/contracts/messaging-routes'
import { repoRoot } from '@sumlock/dev/config'
import { progress } from '@sumlock/dev/product/terminal'
import { withDatabase } from '../kit/database.ts'
import { testEngines } from '../kit/test-engines.ts'
import { befriend, unlock, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { dumpDatabases } from '../kit/release/database-dump.ts'
import { lastReleaseFolder } from '../kit/release/last-release.ts'
import type { LastRelease } from '../kit/release/last-release.ts'
import { startRunningEngines, stopRunningEngines } from '../kit/running-engines.ts'
import { checkOutRelease, removeRelease, startRelease } from '../kit/release/start-release.ts'

// node testing/commands/dump-release.ts <commit>   writes testing/fixtures/last-release with that commit's own code
const run = promisify(execFile)
const commit = (await run('git', ['rev-parse', process.argv[2] ?? 'HEAD'], { cwd: repoRoot })).stdout.trim()
const namespace = 'lastrelease'
await startRunningEngines()
const { addresses, secrets, dataDir } = await testEngines()
const folder = join(dataDir, 'checkout')
try {
  await checkOutRelease(commit, folder)
  const logDir = join(dataDir, 'logs')
  const release = await startRelease(folder, { addresses, secrets, namespace, mode: 'test', logDir })
  const described = await fill(release.gatewayUrl)
  // A service publishes its stored events while it stops, so the dump contains none that wait.
  await release.stop()
  await rm(lastReleaseFolder, { recursive: true, force: true })
  await mkdir(lastReleaseFolder, { recursive: true })
  await dumpDatabases({ addresses, secrets, namespace }, lastReleaseFolder)
  await writeFile(join(lastReleaseFolder, 'release.json'), `${JSON.stringify(described, null, 1)}\n`)
  progress(`The dump of ${commit} is in ${lastReleaseFolder}.`)
} finally {
  await removeRelease(folder)
  await stopRunningEngines()
}
process.exit(0)

async function fill(gatewayUrl: string): Promise<LastRelease> {
  const ann = await unlockedPerson({ gatewayUrl }, { username: 'ann', pin: '1357' })
  const bob = await unlockedPerson({ gatewayUrl }, { username: 'bob', pin: '8642' })
  const admin = await unlockedPerson({ gatewayUrl }, { username: 'carla' })
  await makeAdmin(admin.username)
  await admin.client.ok(login, { body: { username: admin.username, password: admin.password } })
  await unlock(admin)
  const granted = await admin.client.ok(grantPremium, { body: { userId: ann.user.id, days: 3650 } })
  const { id: conversationId } = await befriend(ann, bob)
  const sent: [Person, string][] = [
    [ann, 'first'],
    [bob, 'second, with ümläuts 🔐'],
    [ann, 'third'],
  ]
  for (const [{ client }, content] of sent)
    await client.ok(sendMessage, { body: { conversationId, messageType: 'text', content } })
  await bob.client.ok(markRead, { params: { id: conversationId }, body: { seq: 2 } })
  const { pinPepper, codePepper, outboxKeySecret, noticeKeyId, noticeKey } = secrets
  return {
    commit,
    secrets: { pinPepper, codePepper, outboxKeySecret, noticeKeyId, noticeKey },
    ann: signInOf(ann),
    bob: signInOf(bob),
    conversationId,
    messages: sent.map(([, content]) => content),
    premiumUntil: granted.endsAt,
  }
}

function signInOf({ username, password, pin }: Person) {
  return { username, password, pin }
}

function makeAdmin(username: string) {
  return withDatabase({ addresses, secrets, namespace }, 'auth', (database) =>
    database.collection('users').updateOne({ username }, { $set: { isAdmin: true } }),
  )
}
