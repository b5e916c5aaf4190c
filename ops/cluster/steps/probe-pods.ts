import { nameOf, podOf, renderedManifests } from '../../manifests/test/manifest.ts'
import type { Labels } from '../../manifests/test/manifest.ts'
import type { Kubernetes } from '../kubernetes.ts'
import type { Callee, Probe, ProbeAnswer } from './probe-plan.ts'
import { edgeOf } from './probe-plan.ts'
import { namespace } from './try-step.ts'

/** A probe pod has the labels of a workload, which decide what it may connect to. */
export interface Prober {
  /** The name in `ops/manifests/edges.ts`. */
  name: string
  pod: string
  namespace: string
  labels: Labels
}

const mark = { 'sumlock-try/probe': 'yes' }
const outsideNamespaces: Readonly<Record<string, { namespace: string; labels: Labels }>> = {
  'the ingress controller': { namespace: 'sumlock-probe-ingress', labels: { 'sumlock/ingress': 'yes' } },
  'the observability namespace': {
    namespace: 'sumlock-probe-observability',
    labels: { 'sumlock/observability': 'yes' },
  },
  'another namespace': { namespace: 'sumlock-probe-other', labels: {} },
}

/** Pods of other namespaces listen here, because services send their traces there. */
const tracesPort = 4318

/** Lists a prober for each workload of the overlay, Jobs included, and for the three kinds of other namespaces. */
export function probers(): Prober[] {
  const inside = renderedManifests('local').flatMap((manifest) => {
    const { name } = manifest.metadata
    const labels = podOf(manifest)?.metadata.labels
    return labels ? [{ name, pod: `probe-${name}`, namespace, labels }] : []
  })
  const names = new Set(inside.map(({ name }) => name))
  if (names.size !== inside.length)
    throw new Error(`Two workloads share a name: ${renderedManifests('local').map(nameOf).join(', ')}`)
  const outside = Object.entries(outsideNamespaces).map(([name, other]) => ({
    name,
    pod: 'probe',
    namespace: other.namespace,
    labels: {},
  }))
  return [...inside, ...outside]
}

/** Starts the probe pods and waits until they run. */
export async function startProbers(kubernetes: Kubernetes, all: readonly Prober[]): Promise<void> {
  await kubernetes.apply(
    Object.values(outsideNamespaces).map(({ namespace: name, labels }) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { ...labels, ...mark } },
    })),
  )
  const image = '--output=jsonpath={.spec.template.spec.containers[0].image}'
  const withNode = await kubernetes.kubectl('get', 'deployment/auth', `--namespace=${namespace}`, image)
  await kubernetes.apply(all.map((prober) => podManifest(prober, withNode)))
  for (const prober of all)
    await kubernetes.kubectl(
      'wait',
      `--namespace=${prober.namespace}`,
      `pod/${prober.pod}`,
      '--for=jsonpath={.status.phase}=Running',
      '--timeout=3m',
    )
}

export async function stopProbers({ kubectl }: Kubernetes): Promise<void> {
  const selector = Object.entries(mark).map(([key, value]) => `--selector=${key}=${value}`)
  await kubectl('delete', 'pods', `--namespace=${namespace}`, ...selector, '--grace-period=1')
  await kubectl('delete', 'namespaces', ...selector)
}

function podManifest({ pod, namespace, labels }: Prober, image: string): object {
  const listen = `require('node:net').createServer((one) => one.end()).listen(${tracesPort})`
  const container = {
    name: 'probe',
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['node', '-e', listen],
    // A pod with the labels of a service must never become one of its endpoints.
    readinessProbe: { exec: { command: ['false'] }, periodSeconds: 3600 },
    resources: { requests: { cpu: '1m', memory: '16Mi' }, limits: { memory: '128Mi' } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: pod, namespace, labels: { ...labels, ...mark } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [container],
    },
  }
}

interface RunningPod {
  metadata: { name: string; labels?: Labels }
  spec: { containers: { ports?: { containerPort: number }[] }[] }
  status: { podIP?: string; phase: string }
}

/** Lists one running pod of each workload that listens, and the pods of other namespaces. */
export async function findCallees(kubernetes: Kubernetes, all: readonly Prober[]): Promise<Callee[]> {
  const pods = await kubernetes.list<RunningPod>('pods', `--namespace=${namespace}`)
  const isProbe = ({ metadata }: RunningPod) => 'sumlock-try/probe' in (metadata.labels ?? {})
  const own = pods.filter((pod) => !isProbe(pod) && pod.status.phase === 'Running')
  const inside = [...Map.groupBy(own, ({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] ?? '')]
  const calleeOf = (name: string, pod: RunningPod | undefined, ports: readonly number[]): Callee[] =>
    ports.length > 0 && pod?.status.podIP ? [{ name, address: pod.status.podIP, ports }] : []
  const callees = inside.flatMap(([name, [pod]]) => {
    const ports = (pod?.spec.containers ?? []).flatMap((one) => one.ports ?? [])
    return calleeOf(
      name,
      pod,
      ports.map(({ containerPort }) => containerPort),
    )
  })
  for (const { name, namespace: other } of all.filter((prober) => prober.namespace !== namespace)) {
    const [pod] = await kubernetes.list<RunningPod>('pods', `--namespace=${other}`)
    callees.push(...calleeOf(name, pod, [tracesPort]))
  }
  return callees
}

const connectWithinMs = 1500

/** Reads targets from its arguments, connects to all at once and prints the answers; the last one is a name to look up. */
const probeProgram = `
const { connect } = require('node:net')
const { lookup } = require('node:dns').promises
const [name, ...targets] = process.argv.slice(1)
const probe = (target) => new Promise((resolve) => {
  const [host, port] = target.split(':')
  const socket = connect({ host, port: Number(port) })
  const answer = (text) => { socket.destroy(); resolve(text) }
  setTimeout(() => answer('timeout'), ${connectWithinMs})
  socket.once('connect', () => answer('open'))
  socket.once('error', () => answer('refused'))
})
Promise.all([lookup(name).then(() => 'open', () => 'refused'), ...targets.map(probe)]).then((all) => {
  process.stdout.write(JSON.stringify(all))
  process.exit(0)
})`

export interface ProberAnswers {
  resolvesNames: boolean
  answers: [string, ProbeAnswer][]
}

/** Makes the probes of one pod, from inside it. */
export async function probeFrom(
  { kubectl }: Kubernetes,
  prober: Prober,
  probes: readonly Probe[],
  callees: readonly Callee[],
): Promise<ProberAnswers> {
  const addresses = new Map(callees.map(({ name, address }) => [name, address]))
  const targets = probes.map(({ callee, port }) => `${addresses.get(callee)}:${port}`)
  const exec = ['exec', `--namespace=${prober.namespace}`, prober.pod, '--', 'node', '-e', probeProgram]
  const output = await kubectl(...exec, 'kubernetes.default.svc', ...targets)
  const [names, ...found] = JSON.parse(output) as ProbeAnswer[]
  return {
    resolvesNames: names === 'open',
    answers: probes.map((probe, index) => [edgeOf(probe), found[index] ?? 'timeout']),
  }
}
