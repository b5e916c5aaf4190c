import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { noticeRequested } from '@sumlock/contracts/auth-events'
import type { OutgoingRecord } from '@sumlock/bus/bus'
import { toDeadLetter } from '@sumlock/bus/dead-letter'
import { toRecord } from '@sumlock/bus/envelope'
import type { EventRecord } from '@sumlock/bus/envelope'
import { readTopic } from '@sumlock/bus/read-topic'
import type { StoredRecord } from '@sumlock/bus/read-topic'
import { kafkaAdminAccount } from '@sumlock/deployment/kafka-users'
import { inheritedEnvironment, repoRoot } from '@sumlock/dev/config'
import { testEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'
import { personRecord, startBed } from './bed.ts'
import type { Bed } from './bed.ts'

let bed: Bed
let where: string[]
let account: Record<string, string>
beforeAll(async () => {
  bed = await startBed()
  const { addresses, secrets } = await testEngines()
  where = ['--brokers', addresses.kafkaBrokers, '--namespace', bed.namespace]
  account = kafkaAdminAccount(secrets)
})
afterAll(() => bed.stop())

/** Runs the command as a person does; returns its output and its exit code. */
async function dlq(...args: string[]): Promise<{ code: number; text: string }> {
  const script = join(repoRoot, 'ops/commands/dlq.ts')
  const options = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning']
  const run = promisify(execFile)(process.execPath, [...options, script, ...args, ...where], {
    env: { ...inheritedEnvironment, ...account },
  })
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout + error.stderr,
    }),
  )
}

it('lists, shows and replays dead letters, each once unless --again is given', async () => {
  const person = randomUUID()
  const taken: string[] = []
  let isBroken = true
  bed.consume(({ version }, id) => {
    if (isBroken && version === 2) throw new TypeError('names of one letter are not thought of')
    taken.push(id)
  })
  const records = [1, 2, 3].map((version) => personRecord(person, version, `event-${version}`))
  await bed.bus.publish([...records, { topic: 'auth.users', key: person, value: '{"half' }])
  await bed.deadLetters('auth.users', 2)

  expect((await dlq('list')).text).toMatch(
    /^auth\.users {2}2 \(2 not replayed\) {2}newest 0:1, \S+ messaging: AppError: The record is not valid JSON\.\n$/,
  )
  const { text } = await dlq('show', 'auth.users')
  for (const piece of [
    'internal',
    'TypeError: names of one letter are not thought of',
    'dlq.full.test.ts',
    person,
  ])
    expect(text).toContain(piece)
  expect(text).toContain('"version": 2')
  expect(text).toContain('6 bytes that are not an event')
  expect(text).not.toContain('half')

  isBroken = false
  expect(await dlq('replay', 'auth.users', '--at', '0:0')).toMatchObject({ code: 0 })
  await eventually(() => expect(taken).toEqual(['event-1', 'event-3', 'event-2']))
  expect(await dlq('replay', 'auth.users', '--at', '0:0')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/0:0 was already replayed at \S+\. To repeat it: --again/),
  })
  expect((await dlq('list')).text).toContain('auth.users  2 (1 not replayed)')
  // The other letter is malformed and comes back; the replayed one is not replayed again.
  await dlq('replay', 'auth.users', '--all')
  await eventually(async () => expect((await dlq('list')).text).toContain('auth.users  3 (1 not replayed)'))
  expect(taken).toHaveLength(3)
  await dlq('replay', 'auth.users', '--at', '0:0', '--again')
  await eventually(() => expect(taken).toHaveLength(4))
})

it('publishes nothing that a reader of the topic wrote into the dead letters as if it were an event', async () => {
  const [person, { bus }] = [randomUUID(), bed]
  const taken: string[] = []
  bed.consume(({ userId, username }) => void (userId === person && taken.push(username)), {
    group: 'billing',
  })
  const [real, forged] = [1, 2].map((version) => personRecord(person, version))
  await bus.publish([real as EventRecord])
  await eventually(() => expect(taken).toEqual([`${person}.1`]))
  const records = await readTopic(bus, 'auth.users')
  const { partition, message } = records.find(
    (record) => String(record.message.key) === person,
  ) as StoredRecord
  const letter = (place: object): OutgoingRecord => ({
    ...toDeadLetter({ ...message, value: Buffer.from(String(forged?.value)) }, new Error('not handled'), {
      ...{ topic: 'auth.users', partition: String(partition), offset: message.offset },
      ...{ time: new Date().toISOString(), service: 'billing-1', group: 'billing', ...place },
    }),
    topic: 'auth.users.dlq',
  })
  const strange = ['999999', 'x', `${message.offset}.5`].map((offset) => ({ offset }))
  const places = [{}, ...strange, { partition: '7' }, { topic: 'auth.notices' }]
  const noCause = { ...letter({}), headers: { note: '\u001B[2J' } }
  await bus.publish([...places.map((place) => letter(place)), noCause])

  const { code, text } = await dlq('replay', 'auth.users', '--all')
  expect(code).toBe(1)
  expect(text.match(/was not published/g)).toHaveLength(places.length + 1)
  expect(text.match(/does not hold this event/g)).toHaveLength(2)
  const { text: shown } = await dlq('show', 'auth.users')
  expect(shown).toContain('note: \uFFFD[2J')
  const values = (await readTopic(bus, 'auth.users')).map((record) => String(record.message.value))
  expect(values).not.toContain(forged?.value)
  expect(taken).toEqual([`${person}.1`])
})

it('does not show the content of a sealed notice, and explains its usage when arguments are missing', async () => {
  const sealed = { keyId: 'k1', iv: 'aXY=', ciphertext: 'c2VjcmV0', tag: 'dGFn' }
  const data = { noticeId: randomUUID(), expiresAt: new Date().toISOString(), sealed }
  const record = toRecord(noticeRequested, data, { source: 'auth', time: new Date() })
  await bed.bus.publish([{ ...record, topic: 'auth.notices.dlq' }])
  const { code, text } = await dlq('show', 'auth.notices', '--at', '0:0')
  expect(code).toBe(0)
  expect(text).toContain(data.noticeId)
  expect(text).not.toContain(sealed.ciphertext)
  expect((await dlq('show', 'auth.notices', '--at', '0:7')).text).toContain(
    'no dead letter of auth.notices at 0:7',
  )
  expect(await dlq('replay', 'auth.notices')).toMatchObject({
    code: 1,
    text: expect.stringContaining('--all'),
  })
})
