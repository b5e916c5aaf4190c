import { EventEmitter } from 'node:events'
import { randomUUID } from 'node:crypto'
import { createInvalidationLog } from '../infrastructure/invalidation-log.ts'
import { listenToHints } from './hints.ts'
import type { HintsContext } from './hints.ts'

/** A Redis connection of this process, and a record of the effects of its payloads. */
function listening() {
  const hints = Object.assign(new EventEmitter(), { subscribe: () => Promise.resolve(2) })
  const seen = { closed: [] as string[], delivered: [] as string[], malformed: 0, logged: 0 }
  const invalidations = createInvalidationLog()
  const ctx = {
    config: { SUMLOCK_NAMESPACE: 'x' },
    hints,
    invalidations,
    logger: { error: () => (seen.logged += 1) },
    metrics: { malformedPayloads: { inc: () => (seen.malformed += 1) } },
  } as unknown as HintsContext
  listenToHints(ctx, { closeSession: (sid) => seen.closed.push(sid) }, (_via, { message }) => {
    seen.delivered.push(message.id)
  })
  const say = (channel: 'message-sent' | 'session-invalidated', payload: unknown) =>
    hints.emit('message', `x:${channel}`, typeof payload === 'string' ? payload : JSON.stringify(payload))
  return { seen, say, invalidations }
}

const message = { id: 'm', createdAt: '2026-01-01T00:00:00.000Z' }
const broken = ['', '{', 'null', '[]', '"x"', '{}', '{"message":null}', '{"message":{"id":1},"memberIds":[]}']

describe('a hint', () => {
  it.each(['message-sent', 'session-invalidated'] as const)(
    'that is malformed is counted and dropped, and ends nothing (%s)',
    (channel) => {
      const { seen, say } = listening()
      for (const payload of broken) say(channel, payload)
      expect(seen).toEqual({ closed: [], delivered: [], malformed: broken.length, logged: 1 })
    },
  )

  it('that is well-formed is delivered after malformed ones', () => {
    const { seen, say } = listening()
    say('message-sent', '{')
    say('message-sent', { message, memberIds: ['a', 'b'], request: { requestId: 'r' } })
    expect(seen.delivered).toEqual(['m'])
  })

  it.each(['locked', 'revoked'] as const)(
    'of a %s session closes its sockets and is remembered',
    (reason) => {
      const { seen, say, invalidations } = listening()
      const [sid, before] = [randomUUID(), invalidations.position()]
      say('session-invalidated', { sid, userId: randomUUID(), reason })
      expect(seen.closed).toEqual([sid])
      expect(invalidations.changedSince(sid, before)).toBe(true)
    },
  )

  it('of an unlocked session closes no socket', () => {
    const { seen, say, invalidations } = listening()
    const [sid, before] = [randomUUID(), invalidations.position()]
    say('session-invalidated', { sid, userId: randomUUID(), reason: 'unlocked' })
    expect(seen.closed).toEqual([])
    expect(invalidations.changedSince(sid, before)).toBe(false)
  })
})
