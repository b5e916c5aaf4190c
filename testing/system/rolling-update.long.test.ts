import { setTimeout as wait } from 'node:timers/promises'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '../kit/engines.ts'
import { createClusterService, createIngress } from '../kit/faults/cluster.ts'
import type { ServiceAddress } from '../kit/faults/cluster.ts'
import { mailsFor } from '../kit/inbox.ts'
import { raiseToAffordable, startMixedLoad } from '../kit/mixed-load.ts'
import { adminPerson } from '../kit/people.ts'
import { seatPairs } from '../kit/seats.ts'
import type { Seat } from '../kit/seats.ts'
import { allPublished, expectedScreen, gapsIn, screenOf } from '../kit/stored-messages.ts'
import { eventually } from '../kit/wait.ts'
import { ofKind, podOf, renderedManifests, settingsOf } from '../../ops/manifests/test/manifest.ts'

// A rolling update with maxSurge 1 and maxUnavailable 0 and the times of the production overlay: a new replica starts, gets
// connections once it is ready, and the old one is stopped after its preStop, while the next new one is already starting.
// Stand-ins replace the cluster: a TCP proxy for each Service, and a proxy in front of the gateway for the ingress.
const names = ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime'] as const
type Name = (typeof names)[number]
const sides = ['public', 'internal'] as const

/** Time until the other pods stop using an endpoint that was removed. */
const endpointRemovalMs = 2000
const perSecond = { step: 10, wanted: 60 }
/**
 * The number is large enough that no conversation waits for its own last message, because replicas take turns at
 * writing to one.
 */
const pairs = 12

const rendered = renderedManifests('production')
const timesOf = (name: Name) => {
  const pod = podOf(ofKind(rendered, 'Deployment').find(({ metadata }) => metadata.name === name)!)!.spec
  return {
    preStopMs: 1000 * pod.containers[0]!.lifecycle!.preStop!.sleep!.seconds,
    graceMs: 1000 * pod.terminationGracePeriodSeconds!,
    drainDelayMs: settingsOf(rendered, pod)['DRAIN_DELAY_MS']!,
  }
}

let services: Record<Name, Record<(typeof sides)[number], ServiceAddress>>
let stack: Stack
let seats: Seat[]
let load: ReturnType<typeof startMixedLoad> | undefined

beforeAll(async () => {
  const realtime = await createClusterService()
  const publicSide = (name: Name) => {
    if (name === 'realtime') return realtime
    return name === 'gateway' ? createIngress({ sockets: realtime }) : createClusterService()
  }
  services = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [
        name,
        { public: await publicSide(name), internal: await createClusterService() },
      ]),
    ),
  ) as typeof services
  const urls = Object.fromEntries(
    names
      .filter((name) => name !== 'gateway')
      .flatMap((name) => [
        [`${name.toUpperCase()}_URL`, services[name].public.url],
        [`${name.toUpperCase()}_INTERNAL_URL`, services[name].internal.url],
      ]),
  )
  const gatewayUrl = services.gateway.public.url
  const env = (name: Name) => ({
    ...urls,
    PUBLIC_ORIGINS: gatewayUrl,
    DRAIN_DELAY_MS: timesOf(name).drainDelayMs,
  })
  const started = await startTestStack({
    replicas: Object.fromEntries(names.map((name) => [name, 3])),
    env: Object.fromEntries(names.map((name) => [name, env(name)])),
  })
  stack = { ...started, gatewayUrl }
  for (const name of names) for (const index of [0, 1]) join(name, index)
  // The third replica is started later, as the new one.
  await Promise.all(names.map((name) => stack.service(name, 2).stop()))
  const admin = await adminPerson(stack)
  seats = await seatPairs(stack, admin, pairs)
  for (const { person } of seats) person.client.keptToken = await person.client.csrfToken()
}, 180_000)
afterAll(async () => {
  // It still runs after a failed test.
  await load?.stop()
  for (const { device } of seats ?? []) device.close()
  await stack?.stop()
  for (const service of Object.values(services ?? {})) for (const side of sides) await service[side].close()
}, 60_000)

function join(name: Name, index: number): void {
  const replica = stack.service(name, index)
  services[name].public.add(replica.publicUrl)
  services[name].internal.add(replica.internalUrl)
}

function leave(name: Name, index: number): void {
  const replica = stack.service(name, index)
  services[name].public.remove(replica.publicUrl)
  services[name].internal.remove(replica.internalUrl)
}

/** Ends one replica as Kubernetes does; resolves with the milliseconds it took after SIGTERM. */
async function retire(name: Name, old: number): Promise<number> {
  await wait(endpointRemovalMs)
  leave(name, old)
  await wait(timesOf(name).preStopMs - endpointRemovalMs)
  const startedAt = performance.now()
  await stack.service(name, old).stop()
  return performance.now() - startedAt
}

it(`refuses no request while a replica of every service is replaced at up to ${perSecond.wanted} requests/s, and loses nothing`, async () => {
  load = startMixedLoad(seats, { perSecond: 0 })
  await raiseToAffordable(load, perSecond)
  const startedAt = performance.now()
  const retiring = new Map<Name, Promise<number>>()
  for (const name of names) {
    load.during(`new ${name} starting`)
    // `/readyz` reports it as ready.
    await stack.service(name, 2).start()
    join(name, 2)
    retiring.set(name, retire(name, 0))
  }
  load.during('the last ones leaving')
  for (const [name, tookMs] of retiring) {
    const { preStopMs, graceMs } = timesOf(name)
    // It ended by itself, well within its grace period.
    expect(await tookMs).toBeLessThan(Math.min(graceMs - preStopMs, 15_000))
  }
  const tookSeconds = Math.round((performance.now() - startedAt) / 1000)
  const { requests, sent, phones, failures } = await load.stop()
  process.stderr.write(
    `  ${requests} requests, ${sent.length} of them messages; ${names.length} replicas replaced in ${tookSeconds} s, ${failures.length} failed\n`,
  )
  expect(failures).toEqual([])
  // Every new replica must have served requests; sockets reconnect to that of realtime after 3 s. This load sends no request
  // to billing and notify; the mails below show that notify worked.
  const hasServed = (name: Name) => {
    const { publicUrl, internalUrl } = stack.service(name, 2)
    const { public: outside, internal } = services[name]
    return outside.used.has(publicUrl) || internal.used.has(internalUrl)
  }
  const serving = names.filter((name) => name !== 'notify' && name !== 'billing')
  await eventually(() => expect(serving.filter(hasServed)).toEqual(serving), { timeoutMs: 20_000 })

  const stored = await allPublished(stack, { timeoutMs: 20_000 })
  expect(gapsIn(stored)).toEqual([])
  expect(stored.map(({ content }) => content).sort()).toEqual([...sent].sort())
  for (const seat of seats)
    await eventually(() => expect(screenOf(seat)).toEqual(expectedScreen(stored, seat)), {
      timeoutMs: 20_000,
    })
  for (const phone of phones) {
    const mails = () => mailsFor(stack.addresses.inboxUrl, `${phone}@sms.local`)
    await eventually(async () => expect(await mails()).toHaveLength(1), { timeoutMs: 20_000 })
  }
}, 240_000)
