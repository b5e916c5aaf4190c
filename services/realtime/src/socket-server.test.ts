import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect as connectTcp } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveConnection } from '@sumlock/sync/ports'
import type { Client } from '@sumlock/deployment/api-client'
import { connectFrame, handshakeBytes, pongFrame } from '@sumlock/testing/bad-input/bad-handshakes'
import type { Person } from '@sumlock/testing/people'
import { connect, nextState } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import type { Context } from './context.ts'
import type { SocketSession } from './domain/socket-session.ts'
import { createInvalidationLog } from './infrastructure/invalidation-log.ts'
import { createSocketServer } from './socket-server.ts'
import type { SocketServer } from './socket-server.ts'

const user = 'c56a4180-65aa-42ec-a945-5fd21dec0538'
const conversation = '3f1d1c2e-0a4b-4c5d-8e6f-7a8b9c0d1e2f'
const cookie = `sid=${'k'.repeat(43)}`
const unlocked = (): SocketSession => ({
  sid: 's',
  userId: user,
  unlockedUntilMs: Date.now() + 600_000,
  askedAtMs: Date.now() - 3000,
})
const locked = (): SocketSession => ({ ...unlocked(), unlockedUntilMs: 0 })

let http: Server
let sockets: SocketServer
let live: LiveConnection
let heard: string[]
let asked: number
/** Hooks that run before auth and messaging answer. */
let whileAsking: (question: number) => void
let whileAskingForMember: () => void
let isLocked: boolean
let isSilent: boolean
let cutOff: number
/** The subscriptions requested from Redis for the person, and the time of its answer. */
let holds: string[]
let holding: Promise<boolean>
let answerLate: () => void
const invalidations = createInvalidationLog()

/** Simulates the hint of a lock. */
const invalidate = () => {
  isLocked = true
  invalidations.add('s')
  sockets.closeSession('s')
}

beforeEach(async () => {
  heard = []
  asked = cutOff = 0
  isLocked = false
  holds = []
  holding = Promise.resolve(true)
  whileAsking = whileAskingForMember = () => undefined
  http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const redis = () => Object.assign(new EventEmitter(), { psubscribe() {}, subscribe() {}, publish() {} })
  const ctx = {
    config: {
      SUMLOCK_NAMESPACE: 'x',
      PUBLIC_ORIGINS: [origin],
      COOKIE_SECURE: false,
      TRUSTED_HOPS: 1,
      RATE_LIMITS: 'off',
      SOCKETS_AT_MOST: 100,
    },
    clock: { nowMs: () => Date.now() },
    logger: { warn() {} },
    invalidations,
    metrics: { handshakeRefusals: { inc() {} }, slowSockets: { inc: () => (cutOff += 1) } },
    adapterPublisher: redis(),
    subscriber: redis(),
    members: {
      hold(_userId: string, onLate: () => void) {
        holds.push('hold')
        answerLate = onLate
        return holding
      },
      release: () => void holds.push('release'),
    },
    identify: () => {
      const answer = isLocked ? locked() : unlocked()
      whileAsking((asked += 1))
      return Promise.resolve(answer)
    },
    isMember: () => {
      whileAskingForMember()
      return Promise.resolve(true)
    },
  } as unknown as Context
  const no = () => false
  isSilent = false
  const lockSources = { isInDoubt: no, isSilent: () => isSilent }
  sockets = createSocketServer(http, ctx, { isDegraded: no, isDraining: no, lockSources })
})
afterEach(async () => {
  live?.close()
  await sockets.drain()
  http.close()
})

/** Connects and records every event the person receives. */
function open(): LiveConnection {
  const gatewayUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const client = { gatewayUrl, origin: gatewayUrl, cookieHeader: cookie } as Client
  live = connect({ client, user: { id: user } as Person['user'] }, { conversationId: conversation })
  live.subscribe({ onEvent: ({ type }) => heard.push(type) })
  return live
}
const tell = () =>
  sockets.emit([user], { type: 'conversation_started', data: { conversationId: conversation } })

/** A connection below Socket.IO, by hand. */
function openByHand() {
  const { port } = http.address() as AddressInfo
  const url = `ws://127.0.0.1:${port}/ws/?EIO=4&transport=websocket&userId=${user}`
  // Node takes headers here; the types are those of a browser.
  const raw = new WebSocket(url, { headers: { cookie } })
  const says = async (text: string): Promise<string> => {
    for (;;) {
      const [{ data }] = (await once(raw, 'message')) as { data: string }[] as [{ data: string }]
      if (data.startsWith(text)) return data
    }
  }
  return { raw, says }
}

describe('a socket', () => {
  it('counts as degraded from the time limit of Redis until Redis sends its hints here', async () => {
    holding = Promise.resolve(false)
    open()
    await nextState(live, ({ connected, degraded }) => connected && degraded)
    answerLate()
    await nextState(live, ({ connected, degraded }) => connected && !degraded)
  })

  it('is reported as connected only once Redis sends its hints here, and unsubscribes when it closes', async () => {
    const redis = Promise.withResolvers<boolean>()
    holding = redis.promise
    open()
    await eventually(() => expect(holds).toEqual(['hold']))
    expect(live.state.connected).toBe(false)
    redis.resolve(true)
    await nextState(live, ({ connected }) => connected)
    live.close()
    await eventually(() => expect(holds).toEqual(['hold', 'release']))
  })

  it('D-17: receives the events of its person once it was admitted', async () => {
    await nextState(open(), ({ connected }) => connected)
    tell()
    await eventually(() => expect(heard).toContain('conversation_started'))
    expect(asked).toBe(1)
  })

  it('receives nothing that is sent to nobody', async () => {
    await nextState(open(), ({ connected }) => connected)
    sockets.emit([], { type: 'limits_changed', data: {} })
    tell()
    await eventually(() => expect(heard).toContain('conversation_started'))
    expect(heard).not.toContain('limits_changed')
  })

  it('whose session was locked during the request to auth is refused after a second request', async () => {
    whileAsking = (question) => question === 1 && invalidate()
    const refused = nextState(open(), ({ refusal }) => refusal !== null, 2000)
    expect(await refused).toMatchObject({ refusal: 'locked' })
    tell()
    expect(heard).toEqual([])
    expect(asked).toBe(2)
  })

  it('whose session was locked right before it joined its rooms is closed and receives nothing', async () => {
    whileAskingForMember = () => {
      whileAskingForMember = () => undefined
      invalidate()
    }
    open()
    await new Promise<void>((resolve) => {
      let was = false
      live.subscribe({
        onState: ({ connected }) => {
          if (was && !connected) resolve()
          was ||= connected
          tell()
        },
      })
    })
    expect(heard).toEqual([])
    expect(sockets.count).toBe(0)
  })

  it('is closed by an invalidation, and receives the event `locked` before', async () => {
    await nextState(open(), ({ connected }) => connected)
    invalidate()
    expect(await nextState(live, ({ connected }) => !connected)).toMatchObject({ refusal: 'locked' })
  })

  it.each([[['s']], ['all' as const]])(
    'is closed when its session is locked by the time %j is rechecked',
    async (sids) => {
      await nextState(open(), ({ connected }) => connected)
      isLocked = true
      sockets.recheck(sids)
      expect(await nextState(live, ({ connected }) => !connected)).toMatchObject({ refusal: 'locked' })
    },
  )

  it('that cannot be confirmed any more is closed without the event of a lock, and its client connects again', async () => {
    await nextState(open(), ({ connected }) => connected)
    isSilent = true
    expect(await nextState(live, ({ connected }) => !connected)).toMatchObject({ refusal: null })
    isSilent = false
    await nextState(live, ({ connected }) => connected)
    expect(heard).not.toContain('locked')
  })

  it('stays open when only other sessions are rechecked', async () => {
    await nextState(open(), ({ connected }) => connected)
    isLocked = true
    sockets.recheck(['another'])
    tell()
    await eventually(() => expect(heard).toContain('conversation_started'))
    expect(asked).toBe(1)
  })

  it('whose session was locked between upgrade and handshake is refused', async () => {
    const { raw, says } = openByHand()
    await says('0')
    invalidate()
    const answer = says('4')
    raw.send('40')
    expect(await answer).toBe('44{"message":"locked"}')
    raw.close()
  })

  it('that left its namespace cannot join it again over the same connection', async () => {
    const { raw, says } = openByHand()
    await says('0')
    const welcome = says('40')
    raw.send('40')
    await welcome
    const closed = once(raw, 'close')
    raw.send('41')
    // Runs after the server has handled the first packet; a closed connection handles no further one.
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 200))])
    raw.send('40')
    await closed
    expect((await nextState(open(), ({ connected }) => connected)).connected).toBe(true)
  })

  it('whose client sends heartbeats and reads nothing is cut off before its events fill the memory', async () => {
    const { port } = http.address() as AddressInfo
    const raw = connectTcp(port, '127.0.0.1')
    raw.write(handshakeBytes(`/ws/?EIO=4&transport=websocket&userId=${user}`, { cookie }))
    await once(raw, 'data')
    raw.write(connectFrame)
    await eventually(() => expect(holds).toEqual(['hold']))
    raw.pause()
    const largest = 'x'.repeat(20_000)
    const event = { type: 'new_message', data: { content: largest } } as unknown as ServerEvent
    await eventually(() => {
      raw.write(pongFrame)
      // The system takes some megabytes by itself.
      for (let count = 0; count < 50; count += 1) sockets.emitHere(user, event)
      expect(sockets.count).toBe(0)
    })
    expect(cutOff).toBe(1)
    raw.destroy()
  })

  it('whose client asks twice to be connected does no harm', async () => {
    const raw = connectTcp((http.address() as AddressInfo).port, '127.0.0.1')
    raw.write(handshakeBytes(`/ws/?EIO=4&transport=websocket&userId=${user}`, { cookie }))
    await once(raw, 'data')
    raw.write(Buffer.concat([connectFrame, connectFrame]))
    await eventually(() => expect(holds).toEqual(['hold', 'hold']))
    expect((await nextState(open(), ({ connected }) => connected)).connected).toBe(true)
    raw.destroy()
  })
})
