import { serviceNames } from '@sumlock/deployment/service-environment'
import { samplesIn, sumOf } from '@sumlock/testing/scrape'
import type { LoadPair, LoadPerson } from '../../../load/lib/load-person.ts'
import type { Kubernetes } from '../kubernetes.ts'
import { arrivalsAt, makePairs } from './crowd.ts'
import type { Pair } from './crowd.ts'
import { openEdge } from './edge.ts'
import { runK6Inside } from './k6-job.ts'
import { podsOf, scale } from './replicas.ts'
import { namespace } from './try-step.ts'
import type { StepResult, TryStep } from './try-step.ts'

const scaled = ['gateway', 'messaging', 'realtime']
const load = { perSecond: 20, seconds: 30 }
const pairCount = 5

export const k6: TryStep = {
  name: 'k6',
  proves: 'k6 inside the cluster gets every message stored and delivered, with one and with two replicas',
  async run({ kubernetes }) {
    const edge = await openEdge(kubernetes)
    try {
      const pairs = await makePairs(arrivalsAt(edge.url), pairCount)
      const one = await measure(kubernetes, pairs.map(toLoadPair), 'one replica')
      await scale(kubernetes, scaled, 2)
      const two = await measure(kubernetes, pairs.map(toLoadPair), 'two replicas')
      return { ...one, ...two }
    } finally {
      await scale(kubernetes, scaled, 1)
      await edge.close()
    }
  },
}

/** Returns the processor time per message of each pod, which includes what the pod uses without load. */
async function measure(
  kubernetes: Kubernetes,
  pairs: readonly LoadPair[],
  title: string,
): Promise<StepResult> {
  const before = await processorSeconds(kubernetes)
  const accepted = await runK6Inside(kubernetes, { ...load, pairs })
  const after = await processorSeconds(kubernetes)
  const missing = [...after.keys()].filter((pod) => !before.has(pod))
  if (missing.length > 0)
    throw new Error(`These pods were started during the measurement: ${missing.join(', ')}.`)
  const perMessage = [...after].map(([pod, seconds]) => {
    const ms = ((seconds - (before.get(pod) ?? 0)) * 1000) / accepted
    return [`processor ms per message, ${title}, ${pod}`, ms.toFixed(2)] as const
  })
  return { [`messages accepted, ${title}`]: accepted, ...Object.fromEntries(perMessage) }
}

const readMetrics = `fetch('http://127.0.0.1:8081/metrics').then((answer) => answer.text()).then(console.log)`

/** Reads the processor time of each service's pods from their own metrics. */
async function processorSeconds(kubernetes: Kubernetes): Promise<ReadonlyMap<string, number>> {
  const seconds = new Map<string, number>()
  for (const service of serviceNames)
    for (const { metadata } of await podsOf(kubernetes, service)) {
      if (metadata.deletionTimestamp !== undefined) continue
      const exec = ['exec', `--namespace=${namespace}`, metadata.name, '--', 'node', '-e', readMetrics]
      const samples = samplesIn(await kubernetes.kubectl(...exec))
      const used = sumOf(samples, 'process_cpu_seconds_total')
      if (used === 0) throw new Error(`${metadata.name} has no metric of its processor time.`)
      seconds.set(metadata.name, used)
    }
  return seconds
}

const toLoadPair = ({ people: [first, second], conversationId }: Pair): LoadPair => {
  const toPerson = ({ client, user, username, password, pin }: Pair['people'][0]): LoadPerson => ({
    userId: user.id,
    username,
    password,
    pin,
    cookie: client.cookieHeader,
    csrfToken: client.keptToken ?? '',
    conversationId,
  })
  return [toPerson(first), toPerson(second)]
}
