import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { login } from '@sumlock/contracts/auth-routes'
import { getCsrfToken } from '@sumlock/contracts/gateway-routes'
import { bodyKindOf, bodyMaxBytesOf } from '@sumlock/contracts/route-body'
import type { RouteContract } from '@sumlock/contracts/route'
import { validateIos } from '@sumlock/contracts/store-routes'
import { stripeWebhook } from '@sumlock/contracts/subscription-routes'
import { eventually } from '@sumlock/testing/wait'
import { bodyBounds } from './pipeline/buffer-body.ts'
import { startGateway } from './test-support/start-gateway.ts'

const buffered = Object.values(allRoutes as Record<string, RouteContract>).filter(
  (route) => bodyKindOf(route) === 'json' || bodyKindOf(route) === 'raw',
)
const isWebhook = ({ access }: RouteContract) => access === 'webhook'
const nameOf = ({ method, path }: RouteContract) => `${method} ${path}`

let gateway: Awaited<ReturnType<typeof startGateway>>
let headers: string
const open: Socket[] = []

beforeAll(async () => {
  gateway = await startGateway({ bodyBounds: 'on', permits: 64 })
  Object.assign(gateway.auth, {
    unlockedUntilMs: Date.now() + 3_600_000,
    passwordGivenAtMs: Date.now(),
    isAdmin: true,
  })
  const cookie = 'sid=mine'
  const answer = await fetch(gateway.origin + getCsrfToken.path, { headers: { cookie } })
  const { csrfToken } = (await answer.json()) as { csrfToken: string }
  const cookies = [cookie, ...answer.headers.getSetCookie().map((line) => line.split(';', 1)[0])].join('; ')
  headers = `Host: a\r\nCookie: ${cookies}\r\nX-CSRF-Token: ${csrfToken}\r\nContent-Type: application/json`
})
afterEach(() => {
  gateway.service.heldPath = ''
  for (const socket of open.splice(0)) socket.destroy()
})
afterAll(() => gateway.close())

/** Sends the head of a request that announces a body of `length` bytes, and these bytes of it. */
function send(route: RouteContract, length: number, body: string): Socket {
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1').on('error', () => undefined)
  open.push(socket)
  const path = route.path.replace(/:\w+/g, 'x')
  socket.write(`${route.method} ${path} HTTP/1.1\r\n${headers}\r\nContent-Length: ${length}\r\n\r\n${body}`)
  return socket
}

/** The status of the answer. */
function ask(route: RouteContract, length: number, body: string): Promise<number> {
  const socket = send(route, length, body)
  return new Promise((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      resolve(Number(chunk.subarray(9, 12).toString()))
      socket.destroy()
    })
    socket.once('close', () => resolve(0))
  })
}

/**
 * Sends whole bodies that the service does not answer, as many as one address may have. Resolves once all have arrived.
 */
async function spend(route: RouteContract, { perAddress }: { perAddress: number }): Promise<void> {
  const length = bodyMaxBytesOf(route)
  const count = Math.floor(perAddress / length)
  Object.assign(gateway.service, { heldPath: route.path, held: 0 })
  for (let sent = 0; sent < count; sent += 1) send(route, length, '1'.repeat(length))
  await eventually(() => expect(gateway.service.held).toBe(count))
}

it('every route with a body is refused with 429 before its body comes, while others spend what one address may have', async () => {
  expect(buffered.length).toBeGreaterThan(40)
  for (const [spent, isMeant] of [
    [() => spend(login, bodyBounds.people), (route: RouteContract) => !isWebhook(route)],
    [() => spend(stripeWebhook, bodyBounds.webhooks), isWebhook],
  ] as const) {
    await spent()
    const meant = buffered.filter(isMeant)
    const statuses = await Promise.all(meant.map((route) => ask(route, bodyMaxBytesOf(route), '')))
    expect(meant.filter((_, index) => statuses[index] !== 429).map(nameOf)).toEqual([])
  }
  const counted = /^admission_refusals_total\{.*reason="address".*\} (\d+)$/m
  expect(counted.exec(await gateway.metrics.registry.metrics())?.[1]).toBe(String(buffered.length))
}, 20_000)

it('a webhook is admitted while people have spent what one address may have, and the other way round', async () => {
  await spend(login, bodyBounds.people)
  expect(await ask(stripeWebhook, 2, '{}')).toBe(200)
  for (const socket of open.splice(0)) socket.destroy()
  await spend(stripeWebhook, bodyBounds.webhooks)
  expect(await ask(login, 2, '{}')).toBe(200)
})

const heldBytes = async () =>
  Number(/^request_body_bytes.* (\d+)$/m.exec(await gateway.metrics.registry.metrics())?.[1])

it('every route with a body gives its bytes back when it is answered, and when its client disconnects', async () => {
  for (const route of buffered) {
    const length = bodyMaxBytesOf(route)
    const cut = send(route, length, '1')
    await eventually(async () => expect([nameOf(route), await heldBytes()]).toEqual([nameOf(route), length]))
    cut.destroy()
    expect([nameOf(route), await ask(route, length, '1'.repeat(length))]).toEqual([nameOf(route), 200])
    await eventually(async () => expect([nameOf(route), await heldBytes()]).toEqual([nameOf(route), 0]))
  }
}, 60_000)

it('a body over 64 kB is not read beyond the limits of its route, and a smaller one is', async () => {
  const { perPerson: { points = 0 } = {} } = validateIos.rate
  const limited = await startGateway({ bodyBounds: 'on', rateLimits: 'on' })
  const shared = gateway
  gateway = Object.assign(limited, { auth: Object.assign(limited.auth, shared.auth) })
  try {
    const length = 66_000
    for (let time = 0; time < points; time += 1) send(validateIos, length, '')
    await eventually(async () => expect(await heldBytes()).toBe(points * length))
    expect(await ask(validateIos, length, '')).toBe(429)
    expect(await heldBytes()).toBe(points * length)
    send(validateIos, 60_000, '')
    await eventually(async () => expect(await heldBytes()).toBe(points * length + 60_000))
  } finally {
    gateway = shared
    limited.close()
  }
})
