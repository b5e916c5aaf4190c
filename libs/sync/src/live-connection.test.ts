import { connectLive } from './live-connection.ts'
import type { ClientSocketOptions } from './live-connection.ts'
import { FakeClock } from './test-support/fake-clock.ts'

function setUp() {
  const clock = new FakeClock()
  const on: Record<string, (argument?: unknown) => void> = {}
  const calls: string[] = []
  let options: ClientSocketOptions | undefined
  const live = connectLive({
    io: (_url, given) => {
      options = given
      return {
        on: (event: string, listener: unknown) => (on[event] = listener as (argument?: unknown) => void),
        connect: () => calls.push('connect'),
        disconnect: () => calls.push('disconnect'),
      }
    },
    url: 'http://host',
    userId: 'ann',
    conversationId: 'c',
    clock,
  })
  const fire = (event: string, argument?: unknown) => on[event]?.(argument)
  return { clock, calls, live, fire, options }
}

describe('a live connection', () => {
  it('D-39: sends its user id and uses no polling', () => {
    const { calls, options } = setUp()
    expect(calls).toEqual(['connect'])
    expect(options).toMatchObject({
      path: '/ws',
      transports: ['websocket'],
      reconnection: false,
      autoConnect: false,
      forceNew: true,
      query: { userId: 'ann', conversationId: 'c' },
    })
  })

  it('begins unconnected, and reports no state that equals the one before', () => {
    const { fire, live } = setUp()
    expect(live.state).toEqual({ connected: false, degraded: false, refusal: null })
    let reports = 0
    live.subscribe({ onState: () => (reports += 1) })
    fire('connect_error', { message: 'websocket error' })
    expect(reports).toBe(0)
    expect(live.state).toEqual({ connected: false, degraded: false, refusal: null })
  })

  it('makes one attempt at a time, and none while it is connected', async () => {
    const { clock, calls, fire, live } = setUp()
    live.reconnect()
    fire('connect')
    live.reconnect()
    await clock.advance(60_000)
    expect(calls).toEqual(['connect'])
    fire('disconnect')
    live.reconnect()
    expect(calls).toEqual(['connect', 'connect'])
    expect(clock.pending).toBe(1)
  })

  it.each([
    [0, 3000],
    [0.999, 3999],
  ])('STATE-33: reconnects 3 s plus up to 1 s after a loss (random value %f)', async (chance, afterMs) => {
    const { clock, calls, fire } = setUp()
    fire('connect')
    for (const loss of ['disconnect', 'connect_error']) {
      calls.length = 0
      clock.chances = [chance]
      fire(loss, { message: 'websocket error' })
      await clock.advance(afterMs - 1)
      expect(calls).toEqual([])
      await clock.advance(1)
      expect(calls).toEqual(['connect'])
    }
  })

  it('times out on a server that does not answer, and reconnects', async () => {
    const { clock, calls } = setUp()
    await clock.advance(8000 + 3500)
    expect(calls).toEqual(['connect', 'disconnect', 'connect'])
  })

  it.each(['no_session', 'locked', 'not_allowed', 'origin_refused', 'invalid_request'])(
    'rests after the refusal %s until it is told to try again',
    async (refusal) => {
      const { clock, calls, fire, live } = setUp()
      fire('connect_error', { message: refusal })
      await clock.advance(600_000)
      expect(calls).toEqual(['connect'])
      expect(live.state.refusal).toEqual(refusal)
      live.reconnect()
      expect(calls).toEqual(['connect', 'connect'])
      fire('connect')
      expect(live.state).toEqual({ connected: true, degraded: false, refusal: null })
    },
  )

  it('reports failed attempts without a readable reason, but no refusals', async () => {
    const { clock, fire, live } = setUp()
    let failed = 0
    live.subscribe({ onFailedAttempt: () => (failed += 1) })
    fire('connect_error', { message: 'websocket error' })
    expect(failed).toBe(1)
    // The next attempt is never answered.
    await clock.advance(3500 + 8000)
    expect(failed).toBe(2)
    fire('connect_error', { message: 'locked' })
    expect(failed).toBe(2)
  })

  it('reports why it was lost and why attempts failed, until it is closed', async () => {
    const { clock, fire, live } = setUp()
    const reasons: string[] = []
    live.subscribe({ onError: (reason) => reasons.push(reason) })
    fire('connect')
    fire('disconnect', 'transport close')
    // The next attempt is never answered.
    await clock.advance(3500 + 8000)
    fire('connect_error', { message: 'locked' })
    live.close()
    fire('disconnect', 'io client disconnect')
    expect(reasons).toEqual(['transport close', 'no answer', 'locked'])
  })

  it('reconnects after `unavailable`', async () => {
    const { clock, calls, fire, live } = setUp()
    fire('connect_error', { message: 'unavailable' })
    await clock.advance(3500)
    expect(calls.length).toBe(2)
    expect(live.state.refusal).toBeNull()
  })

  it('reports changes and events, and derives from them whether it is degraded or locked', async () => {
    const { clock, calls, fire, live } = setUp()
    const told: unknown[] = []
    live.subscribe({ onEvent: (event) => told.push(event.type), onState: (state) => told.push({ ...state }) })
    fire('connect')
    fire('event', { type: 'status', data: { degraded: true } })
    fire('event', { type: 'locked', data: {} })
    fire('disconnect')
    await clock.advance(60_000)
    expect(told).toEqual([
      { connected: true, degraded: false, refusal: null },
      { connected: true, degraded: true, refusal: null },
      'status',
      { connected: true, degraded: true, refusal: 'locked' },
      'locked',
      { connected: false, degraded: false, refusal: 'locked' },
    ])
    expect(calls).toEqual(['connect'])
  })

  it('clears a refusal when it is asked to reconnect', () => {
    const { fire, live } = setUp()
    fire('connect_error', { message: 'locked' })
    live.reconnect()
    expect(live.state.refusal).toBeNull()
  })

  it('is not connected and reports nothing once it is closed', () => {
    const { fire, live } = setUp()
    fire('connect')
    live.close()
    expect(live.state.connected).toBe(false)
    let reports = 0
    live.subscribe({ onState: () => (reports += 1), onEvent: () => (reports += 1) })
    fire('event', { type: 'status', data: { degraded: true } })
    expect(reports).toBe(0)
  })

  it('leaves no timer behind when it is closed during an attempt', () => {
    const { clock, live } = setUp()
    live.close()
    expect(clock.pending).toBe(0)
  })

  it('stays closed', async () => {
    const { clock, calls, fire, live } = setUp()
    fire('connect')
    live.close()
    fire('disconnect')
    live.reconnect()
    expect(clock.pending).toBe(0)
    await clock.advance(60_000)
    expect(calls).toEqual(['connect', 'disconnect'])
  })
})
