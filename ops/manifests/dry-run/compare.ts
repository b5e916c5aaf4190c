import { isDeepStrictEqual } from 'node:util'
import { run } from '@sumlock/dev/processes/run'
import { parseAllDocuments } from 'yaml'
import { nameOf } from '../manifest.ts'
import type { Manifest } from '../manifest.ts'

/** What kustomize itself makes of a folder. */
export async function kustomizeBuild(kustomize: string, folder: string): Promise<Manifest[]> {
  const text = await run(kustomize, ['build', folder])
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

/** Where two renderings differ, whatever their order. */
export function differences(ours: readonly Manifest[], theirs: readonly Manifest[]): string[] {
  const other = new Map(theirs.map((manifest) => [nameOf(manifest), manifest]))
  const names = new Set(ours.map(nameOf))
  return [
    ...ours.filter((manifest) => !isDeepStrictEqual(manifest, other.get(nameOf(manifest)))).map(nameOf),
    ...[...other.keys()].filter((name) => !names.has(name)),
  ]
}
