import { setTimeout as wait } from 'node:timers/promises'
import { login } from '@sumlock/contracts/auth-routes'
import { requestUpload } from '@sumlock/contracts/media-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { stripeWebhook } from '@sumlock/contracts/subscription-routes'
import type { Client } from '@sumlock/deployment/api-client'
import type { ServiceProcess, Stack } from '@sumlock/dev/product/services'
import { readCompose } from '../../ops/images/checks/compose-file.ts'
import { floodSeconds } from '../kit/config.ts'
import { startTestStack } from '../kit/engines.ts'
import { premiumMembers, startCrowd } from '../kit/floods/crowd.ts'
import type { Member } from '../kit/floods/crowd.ts'
import { clientAt, peakBytes, startEdgeGateway } from '../kit/floods/edge-gateway.ts'
import { startFlood } from '../kit/floods/flood.ts'
import type { Flood, FloodFigures } from '../kit/floods/flood.ts'
import { sharedBcryptCost } from '../kit/shared-stack.ts'
import { eventually } from '../kit/wait.ts'

const people = 100
const perSecond = 50
const uploaders = 11
const uploadsOfEach = 12
const megabyte = 2 ** 20
/** Ten thousand connections take 17 s on an idle machine. */
const completeWithinMs = 100_000

const { mem_limit: limit = '' } = readCompose().services['gateway'] as { mem_limit?: string }
const allowedBytes = (Number.parseInt(limit) - 64) * megabyte

let stack: Stack
let edge: ServiceProcess
let crowd: Member[]
let attackers: Member[]
/** The default of UPSTREAM_MAX_STREAMS. */
const streamsOfGateway = 128
const uploadUrls: { client: Client; pathname: string }[] = []
beforeAll(async () => {
  stack = await startTestStack({ env: { auth: { BCRYPT_COST: String(sharedBcryptCost) } } })
  const members = await premiumMembers(stack, people + uploaders)
  edge = await startEdgeGateway(stack)
  const atTheEdge = members.map((member) => ({ ...member, client: clientAt(edge.publicUrl, member.client) }))
  crowd = atTheEdge.slice(0, people)
  attackers = atTheEdge.slice(people, people + uploaders)
  for (const { client } of attackers)
    for (let count = 0; count < uploadsOfEach; count += 1) {
      const { uploadURL } = await client.ok(requestUpload)
      uploadUrls.push({ client, pathname: new URL(uploadURL).pathname })
    }
}, 180_000)
// The peak of its memory belongs to one flood.
beforeEach(async () => {
  await edge.stop()
  await edge.start()
})
afterAll(async () => {
  await edge?.stop()
  await stack?.stop()
})

const port = () => Number(new URL(edge.publicUrl).port)
const headOf = (method: string, path: string, headers: Record<string, string | number> = {}) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    ...Object.entries(headers).map((pair) => pair.join(': ')),
    '',
    '',
  ].join('\r\n')

const say = (line: string) => process.stderr.write(`  ${line}\n`)

/**
 * Lets everybody else use the product during the attack: nobody may be refused, and the gateway must stay within its
 * memory.
 */
async function withoutHarm(attack: () => Promise<string>): Promise<void> {
  const others = startCrowd(crowd, perSecond)
  const [attacked] = await Promise.allSettled([attack()])
  const { sent, resent, answeredPerSecond, refusals } = await others.stop()
  const peak = peakBytes(edge.pid)
  const attackedBy = attacked.status === 'rejected' ? 'the attack failed' : attacked.value
  const sends = `${sent} sends of others, ${resent} calls made twice, ${answeredPerSecond.toFixed(1)}/s answered`
  say(`${attackedBy}; ${sends}; at most ${Math.round(peak / megabyte)} MB in the gateway`)
  expect(refusals).toEqual([])
  expect(resent).toBeLessThan(sent / 100)
  if (attacked.status === 'rejected') throw attacked.reason
  expect(peak).toBeLessThan(allowedBytes)
}

/** Keeps a flood up for its time once `isComplete`. */
const flood =
  (connections: Omit<Flood, 'port' | 'seconds'>, isComplete: (figures: FloodFigures) => boolean) =>
  async (): Promise<string> => {
    const running = startFlood({
      ...connections,
      port: port(),
      seconds: floodSeconds + completeWithinMs / 1000,
    })
    try {
      await eventually(
        async () => {
          const figures = await running.figures()
          if (!isComplete(figures)) throw new Error(`The flood is not complete: ${JSON.stringify(figures)}`)
        },
        { timeoutMs: completeWithinMs },
      )
      await wait(floodSeconds * 1000)
      return JSON.stringify(await running.figures())
    } finally {
      await running.stop()
    }
  }

it('4,000 slow bodies of strangers refuse nobody else, and stay within the memory of the gateway', () => {
  const body = (path: string, length: number) =>
    headOf('POST', path, { 'content-type': 'application/json', 'content-length': length })
  const heads = [
    body(login.path, 10_000),
    body(login.path, 65_000),
    body(stripeWebhook.path, 8000),
    body(stripeWebhook.path, 250_000),
  ]
  const connections = { connections: 4000, addresses: 40, perSecond: 600, heads, trickleMs: 2000 }
  return withoutHarm(flood(connections, ({ opened }) => opened >= 4000))
})

it('10,000 idle connections of strangers refuse nobody else, and stay within the memory of the gateway', () => {
  const heads = ['', headOf('GET', '/api/csrf-token')]
  const connections = { connections: 10_000, addresses: 40, perSecond: 600, heads }
  return withoutHarm(flood(connections, ({ opened }) => opened >= 10_000))
})

it.each([1000, 60_000_000])(
  '132 uploads of %i declared bytes, a byte at a time, end for the uploads and downloads of others',
  async (declared) => {
    const heads = uploadUrls.map(({ client, pathname }) => {
      const headers = { cookie: client.cookieHeader, origin: client.origin, 'content-length': declared }
      return headOf('PUT', pathname, headers)
    })
    const uploads = { connections: heads.length, addresses: 1, perSecond: 60, heads, trickleMs: 5000 }
    // The gateway ends one upload for each one above its limit, so all of them are hardly ever open at the same moment.
    await withoutHarm(
      flood(uploads, ({ opened, mostOpen }) => opened >= heads.length && mostOpen >= streamsOfGateway),
    )
  },
)

it('one premium person who sends without pause is refused, and nobody else is', () =>
  withoutHarm(async () => {
    const { client, conversationId } = attackers[0] as Member
    const statuses: Record<number, number> = {}
    const until = performance.now() + floodSeconds * 1000
    const send = async () => {
      while (performance.now() < until) {
        const { status } = await client.call(sendMessage, { body: { conversationId, content: 'again' } })
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: 8 }, send))
    expect(statuses[201]).toBeLessThanOrEqual(60 * Math.ceil(floodSeconds / 10 + 1))
    expect(statuses[429]).toBeGreaterThan(0)
    return `sends of one person: ${JSON.stringify(statuses)}`
  }))
