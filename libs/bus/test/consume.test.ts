import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { hintedHeader } from '@sumlock/bus/envelope'
import { fetchWaitMs } from '@sumlock/bus/fetch-health'
import { AppError, unavailable } from '@sumlock/service-kit/app-error'
import { eventually } from '@sumlock/testing/wait'
import type { ISocketFactory } from 'kafkajs'
import { personRecord, startBed } from './bed.ts'
import type { Bed } from './bed.ts'

let bed: Bed
beforeEach(async () => {
  bed = await startBed()
})
afterEach(() => bed.stop())

const states = (userId: string, count: number) =>
  Array.from({ length: count }, (_, index) => personRecord(userId, index + 1))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const untaken = () => bed.bus.lag('messaging', ['auth.users'])

/** Records the versions each person was consumed with, in order. */
function notebook() {
  const byPerson = new Map<string, number[]>()
  const note = ({ userId, version }: { userId: string; version: number }) =>
    void byPerson.set(userId, [...(byPerson.get(userId) ?? []), version])
  return { note, of: (userId: string) => byPerson.get(userId) ?? [] }
}

it('keeps the order of each key over two consumers of a group, each event consumed by one of them', async () => {
  const people = Array.from({ length: 12 }, () => randomUUID())
  const taken = notebook()
  const consumers = [bed.consume(taken.note), bed.consume(taken.note)]
  await Promise.all(consumers.map(({ ready }) => ready))
  const joins = bed.joins()
  for (const version of upTo(25)) await bed.bus.publish(people.map((person) => personRecord(person, version)))
  await eventually(async () => expect(await untaken()).toBe(0))
  // On a starved machine a member can be silent beyond its session: the other one takes over and repeats the
  // uncommitted events.
  const takenOver = bed.joins() > joins
  const versionsOf = (person: string) => (takenOver ? [...new Set(taken.of(person))] : taken.of(person))
  for (const person of people) expect(versionsOf(person)).toEqual(upTo(25))
})

it('retries an event while a dependency is away, and continues in order once it is back', async () => {
  const person = randomUUID()
  const taken = notebook()
  let tries = 0
  let isAway = true
  bed.consume((state) => {
    if (state.version === 3 && isAway) {
      tries += 1
      throw unavailable('the database')
    }
    taken.note(state)
  })
  await bed.bus.publish(states(person, 6))
  // The third attempt comes after pauses of 200 and 400 ms.
  await eventually(() => expect(tries).toBeGreaterThanOrEqual(3))
  expect(taken.of(person)).toEqual(upTo(2))
  isAway = false
  await eventually(() => expect(taken.of(person)).toEqual(upTo(6)))
  expect(await bed.deadLetterCount('auth.users')).toBe(0)
})

it('consumes the other partitions while one waits for a dependency', async () => {
  const taken = notebook()
  const [waiting, ...others] = Array.from({ length: 30 }, () => randomUUID())
  let tries = 0
  bed.consume((state) => {
    if (state.userId === waiting) {
      tries += 1
      throw unavailable('the database')
    }
    taken.note(state)
  })
  await bed.bus.publish([personRecord(String(waiting), 1)])
  await eventually(() => expect(tries).toBeGreaterThanOrEqual(1))
  await bed.bus.publish(others.map((person) => personRecord(person, 1)))
  // Two of three partitions have about twenty events; the third one delays the rest.
  const through = () => others.filter((person) => taken.of(person).length === 1)
  await eventually(async () => {
    expect(through().length).toBeGreaterThanOrEqual(5)
    expect(through().length).toBe(others.length + 1 - (await untaken()))
  })
})

it('sends an event that cannot be handled to the dead-letter topic, unchanged and with its cause, and continues', async () => {
  const person = randomUUID()
  const taken = notebook()
  const tried: string[] = []
  bed.consume((state, eventId) => {
    if (state.version !== 2) return taken.note(state)
    tried.push(eventId)
    throw new AppError('conflict', 'username_taken', 'That name is taken.')
  })
  const records = states(person, 4)
  await bed.bus.publish(records)
  await eventually(() => expect(taken.of(person)).toEqual([1, 3, 4]))
  const [letter] = await bed.deadLetters('auth.users', 1)
  expect(letter).toMatchObject({ key: person, value: records[1]?.value })
  expect(letter?.cause).toMatchObject({
    kind: 'conflict',
    code: 'username_taken',
    error: 'AppError: That name is taken.',
    topic: 'auth.users',
    offset: '1',
    service: 'test-1',
    group: 'messaging',
    stack: expect.stringContaining('consume.test.ts'),
    partition: expect.stringMatching(/^[012]$/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  expect(tried).toHaveLength(1)
})

it('sends malformed events to the dead-letter topic without their content in the cause, and continues', async () => {
  const person = randomUUID()
  const taken = notebook()
  bed.consume(taken.note)
  const misfit = personRecord(person, 1).value.replace('"version":1', '"version":"secret"')
  const poison = ['{"secret', '"secret"', Buffer.from([0xff, 0xfe, 0x00]), null, misfit]
  await bed.bus.publish(poison.map((value) => ({ topic: 'auth.users', key: person, value })))
  await bed.bus.publish([personRecord(person, 7)])
  await eventually(() => expect(taken.of(person)).toEqual([7]))
  const letters = await bed.deadLetters('auth.users', poison.length)
  expect(letters.map(({ cause }) => cause?.code)).toEqual([
    'invalid_json',
    'invalid_request',
    'invalid_json',
    'invalid_json',
    'invalid_request',
  ])
  expect(letters.at(-1)?.cause?.error).toContain('version')
  expect(JSON.stringify(letters.map(({ cause }) => cause))).not.toContain('secret')
})

it('skips an event of an unknown type', async () => {
  const person = randomUUID()
  const taken = notebook()
  bed.consume(taken.note)
  const unknown = personRecord(person, 1)
  await bed.bus.publish([
    { ...unknown, value: unknown.value.replace('user-updated.v1', 'user-sang.v1') },
    personRecord(person, 2),
  ])
  await eventually(() => expect(taken.of(person)).toEqual([2]))
  expect(await bed.deadLetterCount('auth.users')).toBe(0)
})

it('finishes the present event when it is stopped, and its successor consumes the rest once', async () => {
  const person = randomUUID()
  const taken = notebook()
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  let reached = false
  const first = bed.consume(async (state) => {
    if (state.version === 3) {
      reached = true
      await gate
    }
    taken.note(state)
  })
  await bed.bus.publish(states(person, 8))
  await eventually(() => expect(reached).toBe(true))
  const stopping = first.stop()
  release()
  await stopping
  expect(taken.of(person)).toEqual([1, 2, 3])
  expect(await untaken()).toBe(5)
  bed.consume(taken.note)
  await eventually(() => expect(taken.of(person)).toEqual(upTo(8)))
})

it('skips an event without parsing it when Redis has taken its hints and the group opted in', async () => {
  const [hinted, other] = [randomUUID(), randomUUID()]
  const [some, all] = [notebook(), notebook()]
  const consumers = [
    bed.consume(some.note, { group: 'realtime', skipsHinted: true }),
    bed.consume(all.note, { group: 'notify' }),
  ]
  await Promise.all(consumers.map(({ ready }) => ready))
  const headers = { [hintedHeader]: '1' }
  const unreadable = { ...personRecord(hinted, 2), value: '{', headers }
  await bed.bus.publish([{ ...personRecord(hinted, 1), headers }, personRecord(other, 1), unreadable])
  await eventually(async () => {
    for (const group of ['realtime', 'notify']) expect(await bed.bus.lag(group, ['auth.users'])).toBe(0)
  })
  // A rebalance may repeat uncommitted events.
  const taken = (book: typeof some) => [hinted, other].map((person) => [...new Set(book.of(person))])
  expect(taken(some)).toEqual([[], [1]])
  expect(taken(all)).toEqual([[1], [1]])
  // The group that parses the unreadable event has sent it to the dead letters.
  expect(await bed.deadLetterCount('auth.users')).toBeGreaterThanOrEqual(1)
})

/** Opens connections that break, `times` times in all, when a client requests the coordinator of a group. */
function withoutCoordinator(times: number): ISocketFactory {
  /** The number of FindCoordinator in Kafka's protocol, behind four bytes of length. */
  const findCoordinator = 10
  let left = times
  return ({ host, port, onConnect }) => {
    const socket = connect({ host, port }, onConnect)
    const write = socket.write.bind(socket) as (data: Buffer, encoding?: BufferEncoding) => boolean
    return Object.assign(socket, {
      write(data: Buffer, encoding?: BufferEncoding) {
        if (left === 0 || data.readInt16BE(4) !== findCoordinator) return write(data, encoding)
        left -= 1
        socket.destroy(new Error('Kafka was killed'))
        return true
      },
    })
  }
}

it('starts again when Kafka dies during the request for the coordinator of the group', async () => {
  const person = randomUUID()
  const taken = notebook()
  const consumer = bed.consume(taken.note, { bus: bed.openBus({ socketFactory: withoutCoordinator(2) }) })
  await bed.bus.publish(states(person, 3))
  await eventually(() => expect(taken.of(person)).toEqual(upTo(3)))
  await consumer.stop()
  expect(await bed.membersOf('messaging')).toBe(0)
})

it('leaves its group when it stops, after its fetch has ended, ten times in a row', async () => {
  const person = randomUUID()
  const taken = notebook()
  for (const version of upTo(10)) {
    const consumer = bed.consume(taken.note)
    await bed.bus.publish([personRecord(person, version)])
    await eventually(() => expect(taken.of(person)).toEqual(upTo(version)))
    const startedAt = performance.now()
    await consumer.stop()
    expect(performance.now() - startedAt).toBeLessThan(fetchWaitMs + 4000)
    expect(await bed.membersOf('messaging')).toBe(0)
  }
})
