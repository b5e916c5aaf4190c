import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { deleteAccount } from '@sumlock/contracts/account-routes'
import { reportConversation } from '@sumlock/contracts/conversation-state-routes'
import { exportMessages } from '@sumlock/contracts/export-routes'
import { databaseOwners } from '@sumlock/deployment/provision'
import { repoRoot } from '@sumlock/dev/config'
import type { ServiceProcess } from '@sumlock/dev/product/services'
import type { Connection } from 'mongoose'
import { withDatabase } from '../kit/database.ts'
import { startFaultStack } from '../kit/faults/fault-stack.ts'
import type { FaultStack } from '../kit/faults/fault-stack.ts'
import { premiumMembers } from '../kit/floods/crowd.ts'
import type { Member } from '../kit/floods/crowd.ts'
import { fillPerson } from '../kit/many-messages.ts'
import { sendMedia, someBytes, storedObjects } from '../kit/media.ts'
import { adminPerson, befriend, makePremium, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { sharedBcryptCost } from '../kit/shared-stack.ts'
import { startSteadySends } from '../kit/steady-sends.ts'
import type { SteadySends } from '../kit/steady-sends.ts'
import { eventually } from '../kit/wait.ts'

const busy = { conversations: 3, messagesEach: 90_000 }
const scattered = { conversations: 300, messagesEach: 100 }
const files = 5
const people = 100
const perSecond = 100
const calmMs = 60_000
/** The purge takes 600 parts of 500 messages each. */
const killedAtPart = [100, 300]
const dayMs = 86_400_000

let stack: FaultStack
let crowd: Member[]
let leaver: Person
let filled: { id: string }[]
beforeAll(async () => {
  const env = { auth: { BCRYPT_COST: String(sharedBcryptCost) } }
  stack = await startFaultStack({ logName: 'purge', replicas: { messaging: 2, auth: 2 }, env })
  crowd = await premiumMembers(stack, people)
  leaver = await unlockedPerson(stack)
  const friend = await unlockedPerson(stack)
  await makePremium(await adminPerson(stack), leaver)
  const { id } = await befriend(leaver, friend)
  for (let file = 0; file < files; file += 1) await sendMedia(leaver.client, id, someBytes(20_000))
  await sendMedia(friend.client, id, someBytes(20_000))
  for (const { client } of [leaver, friend])
    await client.ok(reportConversation, { params: { id }, body: { note: 'a note' } })
  const startedAt = performance.now()
  filled = await withDatabase(stack, 'messaging', async (database) => [
    ...(await fillPerson(database, leaver.user.id, busy)),
    ...(await fillPerson(database, leaver.user.id, scattered)),
  ])
  say(`300,000 messages stored in ${seconds(performance.now() - startedAt)} s`)
}, 240_000)
afterAll(() => stack?.stop(), 60_000)

const say = (line: string) => process.stdout.write(`  ${line}\n`)
const seconds = (ms: number) => Number((ms / 1000).toFixed(1))

it('a person with 300,000 messages is purged while two processes are killed and a crowd sends, of whom nobody is refused', async () => {
  await exportWhole()
  const purger = stack.service('auth', 1)
  await purger.stop()
  const sending = startSteadySends(crowd, perSecond)
  await wait(10_000)
  const calmFrom = performance.now()
  await wait(calmMs)

  const purgeFrom = performance.now()
  await becomeDue()
  // It looks for accounts that are due when it starts.
  await purger.start()
  await withDatabase(stack, 'messaging', async (database) => {
    for (const part of killedAtPart) await killWhoPurges(database, part)
    await eventually(async () => expect(await jobIn(database)).toBeNull(), {
      timeoutMs: 600_000,
      everyMs: 250,
    })
  })
  const purgeUntil = performance.now()
  await sending.stop()

  const figures = {
    processors: cpus().map(({ model }) => model),
    purgeSeconds: seconds(purgeUntil - purgeFrom),
    before: percentiles(sending.tookMs(calmFrom, purgeFrom)),
    meanwhile: percentiles(sending.tookMs(purgeFrom, purgeUntil)),
    sentAgainAfter: Object.fromEntries(
      [...Map.groupBy(sending.refusals, ({ answer }) => answer)].map(([answer, all]) => [answer, all.length]),
    ),
  }
  say(JSON.stringify(figures))
  const folder = join(repoRoot, 'artifacts/figures')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'purge.json'), JSON.stringify(figures, null, 2))

  // A killed process loses the messages it was handling; the outboxes send them again under the same key.
  expect(sending.refusals.filter(({ answer }) => !/^503 /.test(answer))).toEqual([])
  await everythingSentIsStoredOnce(sending)
  await purgedADayLater(purger)
  await nothingIsLeft()
}, 1_200_000)

async function exportWhole(): Promise<void> {
  const startedAt = performance.now()
  const answer = await leaver.client.raw('GET', exportMessages.path)
  const beganAt = performance.now()
  const text = await answer.text()
  expect(text).toMatch(/"complete":true\}\]$/)
  const [first, whole] = [beganAt, performance.now()].map((at) => seconds(at - startedAt))
  say(`export of ${text.length} bytes: begun after ${first} s, whole after ${whole} s`)
}

/** Requests the deletion of the account as if that had happened long ago. */
async function becomeDue(): Promise<void> {
  await leaver.client.ok(deleteAccount, { body: { password: leaver.password } })
  await withDatabase(stack, 'auth', (database) =>
    database
      .collection<{ _id: string }>('users')
      .updateOne({ _id: leaver.user.id }, { $set: { purgeAt: new Date(0) } }),
  )
}

const jobIn = (database: Connection) =>
  database.collection<{ parts: number }>('jobs').findOne({ kind: 'purge' })

/** Kills the process that holds the lease at this point of the purge and starts it again. */
async function killWhoPurges(database: Connection, part: number): Promise<void> {
  await eventually(async () => expect((await jobIn(database))?.parts).toBeGreaterThanOrEqual(part), {
    timeoutMs: 240_000,
    everyMs: 100,
  })
  const lease = await database.collection<{ _id: string; owner: string }>('leases').findOne({ _id: 'jobs' })
  const holder = stack.services.find(({ environment }) => environment['INSTANCE'] === lease?.owner)
  await (holder as ServiceProcess).kill('SIGKILL')
  const job = await jobIn(database)
  say(`${lease?.owner} killed after ${job?.parts} parts of the purge`)
  expect(job).not.toBeNull()
  await holder?.start()
}

function percentiles(ms: readonly number[]) {
  const at = (share: number) => Math.round(ms[Math.floor(share * ms.length)] ?? NaN)
  return { sends: ms.length, p50: at(0.5), p99: at(0.99), longest: Math.round(ms.at(-1) ?? NaN) }
}

async function everythingSentIsStoredOnce({ sends }: SteadySends): Promise<void> {
  const conversations = [...new Set(crowd.map(({ conversationId }) => conversationId))]
  const stored = await withDatabase(stack, 'messaging', (database) =>
    database
      .collection('messages')
      .find<{ conversationId: string; clientMessageId: string; messageId: string; seq: number }>({
        conversationId: { $in: conversations },
      })
      .sort({ _id: 1 })
      .toArray(),
  )
  expect(stored).toHaveLength(sends.size)
  expect(
    stored.filter(({ clientMessageId, messageId }) => sends.get(clientMessageId)?.id !== messageId),
  ).toEqual([])
  for (const messages of Map.groupBy(stored, ({ conversationId }) => conversationId).values())
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1))
}

/** Auth sends its request a second time. Messaging then acknowledges it, as the other services have done. */
async function purgedADayLater(purger: ServiceProcess): Promise<void> {
  const patient = { timeoutMs: 120_000, everyMs: 250 }
  await withDatabase(stack, 'messaging', async (database) => {
    const files = database.collection('media')
    await eventually(
      async () => expect(await files.countDocuments({ ownerId: leaver.user.id })).toBe(0),
      patient,
    )
  })
  await withDatabase(stack, 'auth', async (database) => {
    const _id = leaver.user.id
    const ids = database.collection<{ _id: string }>('purged_ids')
    await ids.updateOne({ _id }, { $set: { publishedAt: new Date(Date.now() - 2 * dayMs) } })
    await purger.stop()
    await purger.start()
    await eventually(
      async () => expect(await ids.findOne({ _id })).toMatchObject({ doneAt: expect.any(Date) }),
      patient,
    )
  })
}

async function nothingIsLeft(): Promise<void> {
  const { user, username, phone } = leaver
  const traces = [user.id, username, phone]
  const found: string[] = []
  for (const owner of databaseOwners)
    await withDatabase(stack, owner, async (database) => {
      for (const { name } of await database.listCollections()) {
        // Events expire a week after they were published, phone codes an hour after their end. The id stays for
        // restored backups.
        if (['outbox', 'phone_verifications', 'purged_ids'].includes(name)) continue
        const rows = database.collection(name).find({}, { raw: true })
        for await (const row of rows as unknown as AsyncIterable<Buffer>)
          if (traces.some((trace) => row.includes(trace))) found.push(`${owner}.${name}`)
      }
    })
  expect(found).toEqual([])
  await withDatabase(stack, 'messaging', async (database) => {
    const messages = database.collection('messages')
    const conversationId = { $in: filled.map(({ id }) => id) }
    const kept =
      (busy.conversations * busy.messagesEach + scattered.conversations * scattered.messagesEach) / 2
    expect(await messages.countDocuments({ conversationId, content: '' })).toBe(kept)
    expect(await messages.countDocuments({ conversationId, content: { $ne: '' } })).toBe(kept)
  })
  // The friend's own file.
  expect(await storedObjects(stack)).toHaveLength(1)
}
