import { dirname, join } from 'node:path'
import { serviceNames } from '@sumlock/deployment/service-environment'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import { repoRoot } from '../config.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'
import { buildIfChanged } from './build-if-changed.ts'

/** A program is one service, or `one-process` with all of them. */
export type ProgramName = ServiceName | 'one-process'

const sources = [
  '{libs,services}/*/src/**/*.ts',
  'dev/{config,product/one-process}.ts',
  'ops/bundle/src/**/*.ts',
  'package-lock.json',
]

/** In `npm run dev`, Node runs and watches this file. */
export const sourceOf = (name: ProgramName): string =>
  join(repoRoot, name === 'one-process' ? 'dev/product/one-process.ts' : `services/${name}/src/main.ts`)
const folderOf = (name: ProgramName): string => join(dirname(sourceOf(name)), '../dist')
export const programOf = (name: ProgramName): string => join(folderOf(name), 'main.cjs')

/** Bundles the services, or the program with all of them, if their sources have changed since the last build. */
export async function buildPrograms(isOneProcess: boolean, progress: Progress): Promise<void> {
  const names = isOneProcess ? (['one-process'] as const) : serviceNames
  const build = async () => {
    const bundle = join(repoRoot, 'ops/bundle/src/commands/bundle.ts')
    await run(process.execPath, [bundle, ...names.map(sourceOf)], { cwd: repoRoot })
  }
  await buildIfChanged({
    stamp: join(repoRoot, 'dev/dist', `${isOneProcess ? 'one-process' : 'services'}.sources`),
    sources,
    build: () => step(progress, 'Building the services', build),
  })
}
