import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { run } from '@sumlock/dev/processes/run'

export const overlays = ['local', 'production'] as const
export type Overlay = (typeof overlays)[number]

/** Returns the text that the committed file of an overlay should have, from kustomize. */
export const renderOverlay = async (overlay: Overlay, kubectl: string): Promise<string> =>
  `# Written by npm run k8s:render. Change k8s/overlays/${overlay} instead.\n` +
  (await run(kubectl, ['kustomize', join(repoRoot, 'k8s/overlays', overlay)]))

/** Returns the path of the committed output of kustomize, which `npm run k8s:render` writes. */
export const renderedFile = (overlay: Overlay): string => join(repoRoot, 'k8s/rendered', `${overlay}.yaml`)

/** Stores the hashes of the files that were last rendered and last accepted by an API server. */
interface CheckedState {
  rendered: string
  checked: string
}

const stateFile = join(repoRoot, 'k8s/rendered/state.json')
const manifestFiles = ['k8s/{base,components,overlays}/**/*.*', 'k8s/rendered/*.yaml']
const checkFiles = [
  ...manifestFiles,
  'k8s/deploy/{local,production}/kustomization.yaml',
  'ops/manifests/**/*.ts',
  'ops/commands/k8s-check.ts',
]

export const readState = (): CheckedState => JSON.parse(readFileSync(stateFile, 'utf8')) as CheckedState

export const writeState = (change: Partial<CheckedState>): void =>
  writeFileSync(stateFile, `${JSON.stringify({ ...readState(), ...change }, null, 2)}\n`)

/** Returns a hash that changes with every manifest, rendered or not. */
export const renderedHash = (): string => hashOf(manifestFiles)

/** Returns a hash that changes with every manifest and with the code that checks them. */
export const checkedHash = (): string => hashOf(checkFiles)

function hashOf(patterns: readonly string[]): string {
  const files = globSync(patterns, { cwd: repoRoot }).filter((file) => !file.endsWith('.test.ts'))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(join(repoRoot, file)))
  return hash.digest('hex')
}
