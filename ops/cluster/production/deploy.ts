import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { parseAllDocuments, stringify } from 'yaml'
import type { Kubernetes } from '../kubernetes.ts'
import { pageBlock } from '../pages/page-block.ts'
import { pagePlaces } from '../pages/page-places.ts'
import { pageTree } from '../pages/page-tree.ts'
import { runBlock } from '../pages/run-block.ts'
import { namespace, swap } from '../steps/try-step.ts'
import type { TryContext } from '../steps/try-step.ts'
import { writeSettings } from './accounts.ts'
import type { Authority } from './authority.ts'
import { publicHost } from './engines.ts'

const page = 'docs/deploy-kubernetes.md'
const overlay = 'k8s/overlays/production'
const replicas = 2

/** Makes the copy of the repository in which the page's lines run. */
export const productionTree = (context: TryContext): string =>
  pageTree(context, join(repoRoot, '.data/k8s-try/production'))

/** Runs the lines of the page's step "Apply" in a copy of the repository, with these settings, until the pods are ready. */
export async function applyProduction(
  context: TryContext,
  settings: Readonly<Record<string, string>>,
  authority: Authority,
): Promise<{ loweredRequests: 'yes' | 'no' }> {
  const { kubernetes } = context
  const folder = productionTree(context)
  // The cluster is empty, so nothing was encrypted with the keys of an earlier run.
  await rm(join(folder, 'k8s/secrets'), { recursive: true, force: true })
  await writeSettings(join(folder, 'k8s/secrets'), settings, authority.pem)
  const applied = await fittingOverlay(kubernetes, folder)
  const run = (lines: string) =>
    kubernetes.watched({ namespace }, (signal) => runBlock(lines, { kubernetes, folder, signal }))
  const secrets = pageBlock({ page, heading: 'Production', after: '4. **Apply.**' })
  await run(swap(secrets, 'namespace traefik', 'namespace edge'))
  const { certificate, key } = await authority.certificateFor(publicHost)
  await writeFile(join(folder, 'k8s/secrets/tls.crt'), certificate)
  await writeFile(join(folder, 'k8s/secrets/tls.key'), key, { mode: 0o600 })
  const files = '--cert=k8s/secrets/tls.crt --key=k8s/secrets/tls.key'
  await run(swap(pageBlock(pagePlaces.certificate), '--cert=… --key=…', files))
  const [difference, apply] = ['Build and push', '`kubectl diff` ends'].map((after) =>
    swap(pageBlock({ page, heading: 'A new version', after }), 'k8s/deploy/production', applied),
  ) as [string, string]
  await run(`(${difference}) > /dev/null || test $? = 1`)
  await run(apply)
  await kubernetes.waitFor(`${replicas} replicas of each service`, () => hasReplicas(kubernetes), {
    namespace,
  })
  return { loweredRequests: applied === overlay ? 'no' : 'yes' }
}

interface Deployment {
  status: { availableReplicas?: number }
}

async function hasReplicas({ list }: Kubernetes): Promise<boolean> {
  const deployments = await list<Deployment>('deployments', `--namespace=${namespace}`)
  return deployments.every(({ status }) => (status.availableReplicas ?? 0) >= replicas)
}

interface Workload {
  kind: string
  spec: { template?: { spec: { containers: { resources: { requests: { cpu: string } } }[] } } }
}

const lowered = '20m'

/**
 * Returns the overlay as committed or, where its processor requests are more than the node has, another one beside it
 * that lowers these requests and nothing else.
 */
async function fittingOverlay({ kubectl, list }: Kubernetes, folder: string): Promise<string> {
  const rendered = await kubectl('kustomize', join(folder, overlay))
  const wanted = parseAllDocuments(rendered)
    .map((document) => document.toJS() as Workload)
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ spec }) => spec.template?.spec.containers ?? [])
    .reduce((sum, { resources }) => sum + replicas * inMillicores(resources.requests.cpu), 0)
  const nodes = await list<{ status: { allocatable: { cpu: string } } }>('nodes')
  const present = nodes.reduce((sum, { status }) => sum + inMillicores(status.allocatable.cpu), 0)
  // The engines, the jobs and the cluster's own pods need the rest.
  if (wanted <= present * 0.75) return overlay
  const smaller = 'k8s/overlays/try-production'
  await mkdir(join(folder, smaller), { recursive: true })
  const patch = [
    { op: 'replace', path: '/spec/template/spec/containers/0/resources/requests/cpu', value: lowered },
  ]
  const patches = ['Deployment', 'Job'].map((kind) => ({ target: { kind }, patch: stringify(patch) }))
  const kustomization = { resources: ['../production'], patches }
  await writeFile(join(folder, smaller, 'kustomization.yaml'), stringify(kustomization))
  return smaller
}

const inMillicores = (cpu: string): number =>
  cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000
