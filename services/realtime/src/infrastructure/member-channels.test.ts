import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { createMemberChannels } from './member-channels.ts'
import type { Subscriber } from './member-channels.ts'

/** A Redis connection that answers when the test says so. */
function fakeRedis() {
  const events = new EventEmitter()
  const asked: string[] = []
  let open: (() => void)[] = []
  const command =
    (name: string) =>
    (...channels: string[]) => {
      asked.push(`${name} ${channels.join(' ')}`)
      return new Promise((resolve) => open.push(() => resolve(channels.length)))
    }
  const redis = {
    subscribe: command('subscribe'),
    unsubscribe: command('unsubscribe'),
    on: events.on.bind(events),
  } as unknown as Subscriber
  const answerAll = async () => {
    for (const answer of open) answer()
    open = []
    await turn()
  }
  const emit = (event: 'ready' | 'close') => void events.emit(event)
  return { redis, asked, answerAll, emit }
}

const never = () => {
  throw new Error('called late')
}

function following() {
  const fake = fakeRedis()
  const channels = createMemberChannels(fake.redis, { namespace: 'x', always: ['x:all'], timeoutMs: 10_000 })
  const states: boolean[] = []
  channels.onChange(() => states.push(channels.isComplete))
  return { ...fake, channels, states }
}

it('a join waits until Redis has answered, even the second one of a person', async () => {
  const { channels, asked, answerAll } = following()
  let joined = 0
  const joins = ['ann', 'ann'].map((userId) => channels.hold(userId, never).then(() => (joined += 1)))
  await turn()
  expect([asked, joined]).toEqual([['subscribe x:member:ann'], 0])
  await answerAll()
  await Promise.all(joins)
  expect(joined).toBe(2)
})

it('leaves the channel with the last socket of a person, and subscribes again for the next', async () => {
  const { channels, asked, answerAll } = following()
  void channels.hold('ann', never)
  void channels.hold('ann', never)
  await answerAll()
  channels.release('ann')
  expect(asked).toHaveLength(1)
  channels.release('ann')
  channels.release('ann')
  void channels.hold('ann', never)
  expect(asked.slice(1)).toEqual(['unsubscribe x:member:ann', 'subscribe x:member:ann'])
})

it('is complete once a new connection has everything again, and says so after each gap', async () => {
  const { channels, asked, answerAll, emit, states } = following()
  emit('ready')
  await answerAll()
  void channels.hold('ann', never)
  await answerAll()
  emit('close')
  emit('ready')
  expect(asked.at(-1)).toBe('subscribe x:all x:member:ann')
  // This connection is lost before Redis has answered: its answer comes too late.
  emit('close')
  await answerAll()
  expect(states).toEqual([true, false])
  emit('ready')
  await answerAll()
  expect(states).toEqual([true, false, true])
})

it('a join does not wait without end, and reports a late answer of Redis', async () => {
  const { redis, answerAll } = fakeRedis()
  const channels = createMemberChannels(redis, { namespace: 'x', always: [], timeoutMs: 1 })
  let late = 0
  expect(await channels.hold('ann', () => (late += 1))).toBe(false)
  expect(late).toBe(0)
  await answerAll()
  expect(late).toBe(1)
  expect(await channels.hold('ann', never)).toBe(true)
})
