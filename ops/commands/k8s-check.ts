import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSecrets } from '@sumlock/deployment/secrets'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { parseAllDocuments } from 'yaml'
import { startControlPlane } from '../manifests/control-plane.ts'
import type { ControlPlane } from '../manifests/control-plane.ts'
import { kubectlBinary, kubernetesVersion } from '../manifests/go-programs.ts'
import { httpRouteDefinition, renderWithHttpRoute } from '../manifests/http-route.ts'
import { checkedHash, overlays, readState, renderedFile, renderOverlay } from '../manifests/overlays.ts'
import { writeState } from '../manifests/overlays.ts'
import type { Overlay } from '../manifests/overlays.ts'
import { exampleProduction } from '../manifests/secrets/example-production.ts'
import { secretManifests } from '../manifests/secrets/secret-manifests.ts'

// npm run k8s:check [-- --if-changed]
// Compares k8s/rendered with the output of kustomize. Then a dry run at a real API server shows whether it accepts both
// overlays, their Secrets and, under the Pod Security standard "restricted", their pods; also the overlay `production`
// as it is deployed, with built images and an HTTPRoute. No cluster is touched.
// --if-changed does nothing if k8s/rendered/state.json records that these files passed, and does not write to it.
const { values } = parseArgs({ options: { 'if-changed': { type: 'boolean', default: false } } })

/** An API server must refuse these changes for the given reason; otherwise its other answers prove nothing. */
const mustBeRefused = [
  { from: 'runAsNonRoot: true', to: 'runAsNonRoot: false', reason: 'restricted' },
  { from: 'enableServiceLinks:', to: 'enableServiceLink:', reason: 'field not declared' },
]

async function checkRenders(): Promise<void> {
  const kubectl = await kubectlBinary(progress)
  for (const overlay of overlays) {
    const committed = await readFile(renderedFile(overlay), 'utf8')
    if (committed !== (await renderOverlay(overlay, kubectl)))
      throw new Error(
        `k8s/rendered/${overlay}.yaml is not the output of kustomize: run npm run k8s:render and commit it.`,
      )
  }
  progress('k8s/rendered is the output of kustomize')
}

async function apply({ kubectl, folder }: ControlPlane, text: string, ...flags: string[]): Promise<void> {
  const file = join(folder, 'manifests.yaml')
  await writeFile(file, text, { mode: 0o600 })
  await kubectl('apply', '--server-side', '--validate=strict', '--warnings-as-errors', '-f', file, ...flags)
}

async function checkOverlay(controlPlane: ControlPlane, overlay: Overlay): Promise<void> {
  const accept = (text: string, ...flags: string[]) => apply(controlPlane, text, ...flags)
  const list = (items: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  const rendered = await readFile(renderedFile(overlay), 'utf8')
  const manifests = parseAllDocuments(rendered).map((document) => document.toJS() as { kind: string })
  // The dry run of an object needs an existing namespace, so the namespaces are created first.
  await accept(list(manifests.filter(({ kind }) => kind === 'Namespace')))
  await accept(rendered, '--dry-run=server')
  const secrets = createSecrets()
  await accept(list(secretManifests(overlay, secrets, exampleProduction(secrets))), '--dry-run=server')
  for (const { from, to, reason } of mustBeRefused) {
    const refusal = await accept(rendered.replaceAll(from, to), '--dry-run=server').catch(String)
    if (!refusal?.includes(reason))
      throw new Error(
        `This check is broken: the API server must refuse "${to}" with "${reason}". It answered: ${refusal ?? 'accepted'}`,
      )
  }
  progress(`${overlay}: accepted by Kubernetes ${kubernetesVersion}`)
}

/** It runs after `checkOverlay`, which has created the namespace. */
async function checkHttpRoute(controlPlane: ControlPlane): Promise<void> {
  const { kubectl, folder } = controlPlane
  await kubectl('apply', '--server-side', '-f', await httpRouteDefinition())
  await kubectl('wait', '--for=condition=established', 'crd/httproutes.gateway.networking.k8s.io')
  const rendered = await renderWithHttpRoute(folder, await kubectlBinary(progress))
  if (rendered.includes('kind: Ingress\n')) throw new Error('The HTTPRoute does not replace the Ingress.')
  const images = [...rendered.matchAll(/image: (\S*sumlock\/\S+)/g)].map(([, image = '']) => image)
  const others = images.filter((image) => !/^sumlock\/[a-z]+:built$/.test(image))
  if (images.length === 0 || others.length > 0)
    throw new Error(`k8s/deploy/production does not use the built images: ${others.join(', ')}`)
  await apply(controlPlane, rendered, '--dry-run=server')
  const wrong = rendered.replace('type: PathPrefix', 'type: Prefix')
  const refusal = await apply(controlPlane, wrong, '--dry-run=server').catch(String)
  if (!refusal?.includes('Unsupported value'))
    throw new Error(
      `This check is broken: the API server must refuse a wrong HTTPRoute. It answered: ${refusal ?? 'accepted'}`,
    )
  progress('production with an HTTPRoute: accepted')
}

try {
  if (values['if-changed'] && readState().checked === checkedHash()) {
    progress('k8s is unchanged since npm run k8s:check accepted it')
    process.exit(0)
  }
  await checkRenders()
  const controlPlane = await startControlPlane(progress)
  try {
    for (const overlay of overlays) await checkOverlay(controlPlane, overlay)
    await checkHttpRoute(controlPlane)
  } finally {
    await controlPlane.stop()
  }
  if (!values['if-changed']) writeState({ checked: checkedHash() })
} catch (error) {
  failWith(error)
}
