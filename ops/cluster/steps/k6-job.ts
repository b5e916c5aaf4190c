import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import type { LoadPair } from '../../../load/lib/load-person.ts'
import type { Kubernetes } from '../kubernetes.ts'
import { edgeInside, edgeNamespace } from './edge.ts'

const inNamespace = `--namespace=${edgeNamespace}`
const mark = 'The summary of k6:'

export interface K6Settings {
  perSecond: number
  seconds: number
  pairs: readonly LoadPair[]
}

/**
 * Runs `load/send.ts` in a pod of the cluster against the edge, and returns how many messages were accepted. Rejects with
 * the missed thresholds.
 */
export async function runK6Inside(kubernetes: Kubernetes, settings: K6Settings): Promise<number> {
  const { kubectl } = kubernetes
  await kubectl('delete', 'job', 'k6', inNamespace, '--ignore-not-found')
  await kubernetes.apply(k6Manifests(settings))
  let failure: unknown
  await kubernetes
    .watched({ namespace: edgeNamespace }, (_, stoppable) =>
      stoppable('wait', inNamespace, 'job/k6', '--for=condition=complete', '--timeout=10m'),
    )
    .catch((error: unknown) => (failure = error))
  const log = await kubectl('logs', inNamespace, 'job/k6', '--tail=-1')
  const [output = '', summary] = log.split(mark)
  if (failure !== undefined)
    throw new Error(`k6 failed in the cluster:\n${output.slice(-1500)}`, { cause: failure })
  const { metrics } = JSON.parse(summary ?? '{}') as { metrics: { accepted: { count: number } } }
  return metrics.accepted.count
}

function k6Manifests({ perSecond, seconds, pairs }: K6Settings): object[] {
  const given = { RATE: perSecond, SECONDS: seconds, PAIRS: pairs.length, LENGTH: 13, TOKEN_AT_HAND: 1 }
  const settings = { ...given, GATEWAY: edgeInside, PEOPLE: '/people/people.json' }
  const flags = Object.entries(settings).map(([name, value]) => `-e ${name}=${value}`)
  const run = `k6 run --no-usage-report --quiet --summary-export=/tmp/summary.json ${flags.join(' ')} /load/send.ts`
  const metadata = (name: string) => ({ name, namespace: edgeNamespace })
  const text = (name: string, files: readonly string[]) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(name),
    data: Object.fromEntries(
      files.map((file) => [basename(file), readFileSync(join(repoRoot, file), 'utf8')]),
    ),
  })
  const container = {
    name: 'k6',
    image: 'grafana/k6:1.8.1',
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-c', `${run}; code=$?; echo '${mark}'; cat /tmp/summary.json; exit $code`],
    volumeMounts: [
      { name: 'script', mountPath: '/load' },
      { name: 'lib', mountPath: '/load/lib' },
      { name: 'people', mountPath: '/people' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  }
  const volumes = [
    { name: 'script', configMap: { name: 'k6-script' } },
    { name: 'lib', configMap: { name: 'k6-lib' } },
    { name: 'people', secret: { secretName: 'k6-people' } },
    { name: 'tmp', emptyDir: {} },
  ]
  const lib = globSync('load/lib/*.ts', { cwd: repoRoot }).filter((file) => !file.endsWith('.test.ts'))
  return [
    text('k6-script', ['load/send.ts']),
    text('k6-lib', lib),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadata('k6-people'),
      stringData: { 'people.json': JSON.stringify({ pairs }) },
    },
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: metadata('k6'),
      spec: {
        backoffLimit: 0,
        template: { spec: { restartPolicy: 'Never', containers: [container], volumes } },
      },
    },
  ]
}
