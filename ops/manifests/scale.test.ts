import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { topics } from '@sumlock/contracts/topics'
import { repoRoot } from '@sumlock/dev/config'
import { readCompose } from '../images/checks/compose-file.ts'
import { ofKind, renderedManifests, settingsOf, podOf } from './test/manifest.ts'
import type { Manifest } from './test/manifest.ts'

const read = (file: string) => readFileSync(join(repoRoot, file), 'utf8')
const inWords = (count: number) => count.toLocaleString('en')
const found = (file: string, pattern: RegExp) => Number(pattern.exec(read(file))?.[1])

/** The page's table as pairs of a ceiling and its number. */
const rows = Object.fromEntries(
  [...read('docs/scale.md').matchAll(/^\| (\w.*?) +\| +(\d.*?) +\|/gm)].map(([, what, number]) => [
    what,
    number,
  ]),
)

const nginxConnections = found('ops/images/nginx/nginx.conf', /worker_connections (\d+);/)
const composeSetting = (service: string, name: string) =>
  Number(readCompose().services[service]?.environment?.[name])

function inCluster(manifests: readonly Manifest[], service: string, setting: string): string {
  const isIt = ({ metadata }: Manifest) => metadata.name === service
  const { spec } = podOf(ofKind(manifests, 'Deployment').find(isIt)!)!
  const { maxReplicas } = ofKind(manifests, 'HorizontalPodAutoscaler').find(isIt)!.spec as {
    maxReplicas: number
  }
  const each = Number(settingsOf(manifests, spec)[setting])
  return `${maxReplicas} × ${inWords(each)} = ${inWords(maxReplicas * each)}`
}

it('docs/scale.md has the ceilings of compose', () => {
  expect(rows).toMatchObject({
    'Compose: connections of nginx, per processor': inWords(nginxConnections),
    'Compose: sockets and requests at nginx, per processor': inWords(nginxConnections / 2),
    'Compose: sockets and requests of one address': inWords(
      found('ops/images/nginx/compose-upstreams.conf', /limit_conn addresses (\d+);/),
    ),
    'Compose: sockets of realtime': inWords(composeSetting('realtime', 'SOCKETS_AT_MOST')),
    'Compose: connections of the gateway': inWords(composeSetting('gateway', 'MAX_CONNECTIONS')),
  })
})

it('docs/scale.md has the ceilings of the overlay `production`', () => {
  const manifests = renderedManifests('production')
  expect(rows).toMatchObject({
    'Cluster: sockets': inCluster(manifests, 'realtime', 'SOCKETS_AT_MOST'),
    'Cluster: connections to the gateway': inCluster(manifests, 'gateway', 'MAX_CONNECTIONS'),
    'Cluster: replicas of realtime that read messages': String(
      topics.find(({ name }) => name === 'messaging.messages')?.partitions,
    ),
  })
})

it('docs/benchmarks.md has the requests and limits of memory, which are the same in compose', () => {
  const [, table = ''] = read('docs/benchmarks.md').split('## Memory of the services')
  const told = [...table.split('\n## ')[0]!.matchAll(/^\| ([a-z]+) +\|.*\| +(\d+) \| +(\d+) \|$/gm)].map(
    ([, name, request, limit]) => ({ name, request: `${request}Mi`, limit: `${limit}Mi` }),
  )
  const manifests = renderedManifests('production')
  const actual = told.map(({ name }) => {
    const deployment = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === name)!
    const { requests, limits } = podOf(deployment)!.spec.containers[0]!.resources!
    return { name, request: requests?.['memory'], limit: limits?.['memory'] }
  })
  expect(told).toHaveLength(6)
  expect(told).toEqual(actual)
  const inCompose = told.map(({ name }) => readCompose().services[name!]?.mem_limit)
  expect(inCompose).toEqual(told.map(({ limit }) => limit.replace('Mi', 'm')))
})
