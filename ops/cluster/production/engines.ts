import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProgram } from '../../bundle/src/bundle-program.ts'
import type { Kubernetes } from '../kubernetes.ts'
import { applyFile } from '../steps/edge.ts'
import { ownLabel } from '../steps/own-namespaces.ts'
import { namespace } from '../steps/try-step.ts'
import { enginesNamespace, hostOf } from './accounts.ts'
import type { Accounts } from './accounts.ts'
import type { Authority } from './authority.ts'

export const publicHost = 'calculator.example.com'
/** The tests' Twilio answers there, outside the private ranges (engines/sms.yaml). */
const smsAddress = '203.0.113.10'
const edgeNamespace = 'edge'
export const engineNamespaces: readonly string[] = [enginesNamespace, edgeNamespace]

const names: Record<string, readonly [string, ...string[]]> = {
  kafka: [hostOf('kafka'), `*.${hostOf('kafka')}`],
  mongo: [hostOf('mongo'), `*.${hostOf('mongo')}`, 'localhost'],
  redis: [hostOf('redis')],
  s3: [hostOf('s3')],
  mail: [hostOf('mail')],
  sms: ['api.twilio.com'],
}

/** Starts everything that production expects around it, and waits until it is ready. */
export async function startEngines(kubernetes: Kubernetes, accounts: Accounts, authority: Authority) {
  const { apply } = kubernetes
  await apply(
    engineNamespaces.map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: ownLabel },
    })),
  )
  await apply([
    ...(await certificates(authority)),
    secret(enginesNamespace, 'sms-account', accounts.sms),
    secret(enginesNamespace, 'administrator', {
      password: accounts.administrator,
      keyfile: Buffer.from(accounts.administrator, 'hex').toString('base64'),
    }),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'programs', namespace: enginesNamespace },
      data: {
        'mail-server.cjs': await bundled('mail-server'),
        'sms-server.cjs': await bundled('sms-server'),
      },
    },
  ])
  for (const engine of ['kafka', 'mongo', 'redis', 's3', 'mail', 'sms', 'client', 'edge'])
    await applyFile(kubernetes, join(import.meta.dirname, 'engines', `${engine}.yaml`))
  await setHosts(kubernetes)
  await waitForPods(kubernetes, enginesNamespace)
}

/** Starts the edge, with the certificate that the Ingress of production names. */
export async function startEdge({ apply, kubectl }: Kubernetes): Promise<void> {
  const name = 'calculator-tls'
  const found = await kubectl('get', 'secret', name, `--namespace=${namespace}`, '--output=json')
  const { data, type } = JSON.parse(found) as { data: object; type: string }
  await apply([
    { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: edgeNamespace }, type, data },
  ])
  const edge = ['deployment/edge', `--namespace=${edgeNamespace}`]
  await kubectl('scale', ...edge, '--replicas=1')
  await kubectl('rollout', 'status', ...edge, '--timeout=2m')
}

/** Returns a Secret with the certificate of each server, its key, both in one file, and the authority. */
async function certificates(authority: Authority): Promise<object[]> {
  const all: object[] = []
  for (const [engine, hosts] of Object.entries(names)) {
    const { certificate, key } = await authority.certificateFor(...hosts)
    const files = {
      'tls.crt': certificate,
      'tls.key': key,
      'both.pem': key + certificate,
      'ca.pem': authority.pem,
    }
    all.push(secret(enginesNamespace, `${engine}-certificate`, files))
  }
  return all
}

const secret = (namespace: string, name: string, stringData: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  stringData,
})

/** Returns a program of ./programs with all that it imports, as one file of CommonJS. */
export async function bundled(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-program-'))
  try {
    await bundleProgram(join(import.meta.dirname, 'programs', `${program}.ts`), folder)
    return await readFile(join(folder, 'main.cjs'), 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Gives the cluster's DNS the two public names: the SMS provider's, and the product's own for clients in the cluster. */
async function setHosts({ kubectl, kubectlWith }: Kubernetes): Promise<void> {
  const edge = await kubectl(
    'get',
    'service',
    'edge',
    `--namespace=${edgeNamespace}`,
    '--output=jsonpath={.spec.clusterIP}',
  )
  const inSystem = '--namespace=kube-system'
  const map = JSON.parse(await kubectl('get', 'configmap', 'coredns', inSystem, '--output=json')) as {
    data: { Corefile: string }
  }
  const hosts = `hosts {\n  ${smsAddress} api.twilio.com\n  ${edge} ${publicHost}\n  fallthrough\n}\n`
  const others = map.data.Corefile.replace(/hosts \{[^}]*\}\n\s*/, '')
  map.data.Corefile = others.replace('kubernetes cluster.local', `${hosts}kubernetes cluster.local`)
  await kubectlWith(JSON.stringify(map), 'replace', '--filename=-')
  await kubectl('rollout', 'restart', 'deployment/coredns', inSystem)
  await kubectl('rollout', 'status', 'deployment/coredns', inSystem, '--timeout=2m')
}

interface Pod {
  status: { conditions?: { type: string; status: string }[] }
}

const isReady = ({ status }: Pod) =>
  status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

const waitForPods = ({ waitFor, list }: Kubernetes, namespace: string) =>
  waitFor(
    `all pods of ${namespace} to be ready`,
    async () => {
      const pods = await list<Pod>('pods', `--namespace=${namespace}`)
      return pods.length > 0 && pods.every(isReady)
    },
    { namespace },
  )
