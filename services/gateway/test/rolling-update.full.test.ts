import { setTimeout as wait } from 'node:timers/promises'
import type { Stack } from '@sumlock/stack/services'
import { startTestStack } from '@sumlock/testing/engines'
import { createClusterService } from '@sumlock/testing/faults/cluster-service'
import type { ClusterService } from '@sumlock/testing/faults/cluster-service'
import { startMixedLoad } from '@sumlock/testing/mixed-load'
import { adminPerson } from '@sumlock/testing/people'
import { seatPair } from '@sumlock/testing/seats'
import type { Seat } from '@sumlock/testing/seats'
import { expectedScreen, gapsIn, screenOf, storedMessages } from '@sumlock/testing/stored-messages'
import { eventually } from '@sumlock/testing/wait'
import { ofKind, podOf } from '../../../tools/k8s/manifest.ts'
import { renderOverlay } from '../../../tools/k8s/overlays.ts'
import { settingsOf } from '../../../tools/k8s/policies/settings-of.ts'

// As a Deployment with maxSurge 1 and maxUnavailable 0 does it, with the numbers of the production overlay: a new replica
// starts, gets connections once it is ready, and the old one is told to stop after its preStop. Nothing here is a cluster;
// the Services are stood in for by what kube-proxy amounts to, one connection to the next endpoint.
const names = ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime'] as const
type Name = (typeof names)[number]
// Not the gateway: what a browser sends over a connection that is being closed is the ingress's to send again.
const replacedInTurn = names.filter((name) => name !== 'gateway')
const doors = ['public', 'internal'] as const

/** How much later than the pod everybody else hears that it is no endpoint any more. */
const newsTravelMs = 2000
const perSecond = 20
const pairs = 4

const rendered = renderOverlay('production')
const timesOf = (name: Name) => {
  const pod = podOf(ofKind(rendered, 'Deployment').find(({ metadata }) => metadata.name === name)!)!.spec
  return {
    preStopMs: 1000 * pod.containers[0]!.lifecycle!.preStop!.sleep!.seconds,
    graceMs: 1000 * pod.terminationGracePeriodSeconds!,
    drainDelayMs: settingsOf(rendered, pod)['DRAIN_DELAY_MS']!,
  }
}

let services: Record<Name, Record<(typeof doors)[number], ClusterService>>
let stack: Stack
let seats: Seat[]

beforeAll(async () => {
  const internal = () => createClusterService()
  const realtime = await createClusterService()
  const both = async () => ({ public: await createClusterService(), internal: await internal() })
  services = {
    gateway: { public: await createClusterService({ sockets: realtime }), internal: await internal() },
    auth: await both(),
    messaging: await both(),
    billing: await both(),
    notify: await both(),
    realtime: { public: realtime, internal: await internal() },
  }
  const urls = Object.fromEntries(
    names
      .filter((name) => name !== 'gateway')
      .flatMap((name) => [
        [`${name.toUpperCase()}_URL`, services[name].public.url],
        [`${name.toUpperCase()}_INTERNAL_URL`, services[name].internal.url],
      ]),
  )
  const door = services.gateway.public.url
  const env = (name: Name) => [
    name,
    { ...urls, PUBLIC_ORIGINS: door, DRAIN_DELAY_MS: timesOf(name).drainDelayMs },
  ]
  const started = await startTestStack({
    replicas: Object.fromEntries(names.map((name) => [name, 3])),
    env: Object.fromEntries(names.map(env)),
  })
  stack = { ...started, gatewayUrl: door }
  for (const name of names) {
    for (const index of [0, 1]) join(name, index)
    // The third is there to be started as the new one; until then there are two.
    await stack.service(name, 2).stop()
  }
  const admin = await adminPerson(stack)
  seats = []
  for (let pair = 0; pair < pairs; pair += 1) seats.push(...(await seatPair(stack, admin)))
  for (const { person } of seats) person.client.keptToken = await person.client.csrfToken()
}, 300_000)
afterAll(async () => {
  for (const { device } of seats ?? []) device.close()
  await stack?.stop()
  for (const service of Object.values(services ?? {})) for (const door of doors) await service[door].close()
}, 120_000)

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

/** Replaces one replica by another; answers how long the old one took after SIGTERM, in ms. */
async function replace(name: Name, old: number, fresh: number): Promise<number> {
  const { preStopMs } = timesOf(name)
  // Ready, by /readyz.
  await stack.service(name, fresh).start()
  join(name, fresh)
  await wait(newsTravelMs)
  leave(name, old)
  await wait(preStopMs - newsTravelMs)
  const startedAt = performance.now()
  await stack.service(name, old).stop()
  return performance.now() - startedAt
}

it(`refuses nobody while every replica behind the gateway is replaced at ${perSecond} requests/s, and loses nothing`, async () => {
  const load = startMixedLoad(seats, perSecond)
  let replaced = 0
  for (const name of replacedInTurn) {
    let spare = 2
    for (const old of [0, 1]) {
      load.during(`${name}-${old + 1} replaced by ${name}-${spare + 1}`)
      const { preStopMs, graceMs } = timesOf(name)
      // It ended by itself, well within what Kubernetes gives it.
      expect(await replace(name, old, spare)).toBeLessThan(Math.min(graceMs - preStopMs, 15_000))
      spare = old
      replaced += 1
    }
  }
  const { requests, sent, failures } = await load.stop()
  process.stderr.write(
    `  ${requests} requests, ${sent.length} of them messages; ${replaced} replicas replaced, ${failures.length} failed\n`,
  )
  expect(failures).toEqual([])
  // Nobody could have passed by taking no part.
  for (const name of replacedInTurn) {
    const { connections } = services[name].public
    if (name !== 'notify') expect(connections.get(stack.service(name, 2).publicUrl)).toBeGreaterThan(0)
  }

  const stored = await eventually(
    async () => {
      const now = await storedMessages(stack)
      expect(now.filter(({ unpublished }) => unpublished)).toEqual([])
      return now
    },
    { timeoutMs: 20_000 },
  )
  expect(gapsIn(stored)).toEqual([])
  expect(stored.map(({ content }) => content).sort()).toEqual([...sent].sort())
  for (const seat of seats)
    await eventually(() => expect(screenOf(seat)).toEqual(expectedScreen(stored, seat)), {
      timeoutMs: 20_000,
    })
}, 600_000)
