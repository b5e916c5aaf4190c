import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kubernetes } from '../kubernetes.ts'
import { arrivalsAt } from './crowd.ts'
import { openEdge } from './edge.ts'
import { isReady, podsOf, scale } from './replicas.ts'
import { namespace } from './try-step.ts'
import type { TryStep } from './try-step.ts'
import { figuresOf, underLoad } from './under-load.ts'

const inNamespace = `--namespace=${namespace}`

/** The use of its request, in percent, above which the gateway gets a replica here. A light load is enough for that. */
const lowTarget = 3

/** The other steps run without a metrics server, so that no autoscaler changes their replicas. */
export const autoscalers: TryStep = {
  name: 'autoscalers',
  proves: 'an autoscaler that reads a metrics server adds a replica under load, and no message is lost',
  async run({ kubernetes }) {
    const added = await startMetricsServer(kubernetes)
    const own = await setTarget(kubernetes, lowTarget)
    const edge = await openEdge(kubernetes)
    try {
      const startedAt = performance.now()
      let scaledAfter = 0
      const result = await underLoad(arrivalsAt(edge.url), async () => {
        await kubernetes.waitFor(
          'a second replica of the gateway',
          async () => (await podsOf(kubernetes, 'gateway')).filter(isReady).length > 1,
          { namespace },
        )
        scaledAfter = Math.round((performance.now() - startedAt) / 1000)
      })
      return { 'seconds until a second replica': scaledAfter, ...figuresOf(result) }
    } finally {
      await edge.close()
      await setTarget(kubernetes, own)
      if (added !== undefined) await kubernetes.kubectlWith(added, 'delete', '--filename=-')
      await scale(kubernetes, ['gateway'], 1)
    }
  },
}

interface Autoscaler {
  spec: { metrics: { resource: { target: { averageUtilization: number } } }[] }
}

/** Sets the target of the gateway's autoscaler, and returns the former one. */
async function setTarget({ kubectl }: Kubernetes, target: number): Promise<number> {
  const text = await kubectl('get', 'hpa', 'gateway', inNamespace, '--output=json')
  const former = (JSON.parse(text) as Autoscaler).spec.metrics[0]?.resource.target.averageUtilization
  if (former === undefined)
    throw new Error('The autoscaler of the gateway has no target for the use of processors.')
  const path = '/spec/metrics/0/resource/target/averageUtilization'
  const patch = JSON.stringify([{ op: 'replace', path, value: target }])
  await kubectl('patch', 'hpa', 'gateway', inNamespace, '--type=json', `--patch=${patch}`)
  return former
}

/** Starts a metrics server where the cluster has none. Returns the manifests that it has added. */
async function startMetricsServer(kubernetes: Kubernetes): Promise<string | undefined> {
  const { kubectl } = kubernetes
  const has = await kubectl('get', 'apiservice', 'v1beta1.metrics.k8s.io', '--ignore-not-found')
  const missing =
    has === '' ? await readFile(join(import.meta.dirname, 'metrics-server.yaml'), 'utf8') : undefined
  if (missing !== undefined) await kubernetes.apply(missing)
  await kubectl('wait', '--for=condition=Available', 'apiservice/v1beta1.metrics.k8s.io', '--timeout=3m')
  return missing
}
