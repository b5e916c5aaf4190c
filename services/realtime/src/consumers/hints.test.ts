import { EventEmitter } from 'node:events'
import { randomUUID } from 'node:crypto'
import { systemClock } from '@sumlock/service-kit/clock'
import { noTracing } from '@sumlock/service-kit/tracing'
import { createInvalidationLog } from '../infrastructure/invalidation-log.ts'
import { listenToHints } from './hints.ts'
import type { HintsContext } from './hints.ts'

/** A Redis connection of this process, and a record of the effects of its payloads. */
function listening() {
  const subscriber = new EventEmitter()
  const seen = {
    closed: [] as string[],
    told: [] as unknown[],
    delays: [] as string[],
    malformed: 0,
    logged: 0,
  }
  const invalidations = createInvalidationLog()
  const ctx = {
    config: { SUMLOCK_NAMESPACE: 'x' },
    subscriber,
    invalidations,
    clock: systemClock(),
    tracing: noTracing,
    logger: { error: () => (seen.logged += 1), debug: () => undefined },
    metrics: {
      malformedPayloads: { inc: () => (seen.malformed += 1) },
      observeDelivery: (via: string) => seen.delays.push(via),
    },
  } as unknown as HintsContext
  listenToHints(ctx, {
    closeSession: (sid) => seen.closed.push(sid),
    emitHere: (userId, event) => seen.told.push([userId, event]),
  })
  const say = (channel: string, payload: unknown) =>
    subscriber.emit(
      'message',
      `x:${channel}`,
      typeof payload === 'string' ? payload : JSON.stringify(payload),
    )
  return { seen, say, invalidations }
}

const sent = {
  type: 'new_message',
  data: { id: 'm', senderId: 'ben', createdAt: '2026-01-01T00:00:00.000Z' },
}
const broken = ['', '{', 'null', '[]', '"x"', '{}', '{"event":null}', '{"event":{"type":1,"data":{}}}']

describe('a hint', () => {
  it.each(['member:ann', 'session-invalidated'])(
    'that is malformed is counted and dropped, and ends nothing (%s)',
    (channel) => {
      const { seen, say } = listening()
      const timeless = { event: { type: 'new_message', data: {} } }
      for (const payload of [...broken, timeless]) say(channel, payload)
      expect(seen).toEqual({ closed: [], told: [], delays: [], malformed: broken.length + 1, logged: 1 })
    },
  )

  it('that is well-formed reaches its person after malformed ones', () => {
    const { seen, say } = listening()
    say('member:ann', '{')
    say('member:ann', { event: sent, request: { requestId: 'r' } })
    say('member:ben', { event: sent })
    expect(seen.told).toEqual([
      ['ann', sent],
      ['ben', sent],
    ])
    // The delay of a message is counted for its recipient only.
    expect(seen.delays).toEqual(['hint'])
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

  it('on a channel of the Socket.IO adapter is left to the adapter', () => {
    const { seen, say } = listening()
    say('socket.io#/#', '{')
    expect(seen.malformed).toBe(0)
  })
})
