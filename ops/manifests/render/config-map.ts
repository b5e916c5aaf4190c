import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Manifest } from '../manifest.ts'
import type { ConfigMapGenerator } from './kustomization.ts'

/** The ConfigMap a generator makes of the files in `folder`, without the hash in its name. */
export function generateConfigMap(
  folder: string,
  { name, envs = [], files = [] }: ConfigMapGenerator,
): Manifest {
  const data = Object.fromEntries([
    ...envs.flatMap((file) => parseEnvFile(join(folder, file))),
    ...files.map((file) => [basename(file), readFileSync(join(folder, file), 'utf8')] as const),
  ])
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

function parseEnvFile(path: string): [string, string][] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines
    .map((line) => line.replace(/^\s+/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const at = line.indexOf('=')
      // kustomize would take it from the environment of whoever runs it.
      if (at < 1) throw new Error(`${path}: "${line}" has no value. Write ${line}=…`)
      return [line.slice(0, at), line.slice(at + 1)]
    })
}

const replaced: Record<string, string> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' }

/**
 * kustomize's name suffix: pods are replaced when a setting changes, because the name of their ConfigMap does. The name is
 * not in it: kustomize means to add it, looks for a field called "metadata/name", and finds none.
 */
export function hashOf({ data = {} }: Pick<Manifest, 'data'>): string {
  const sorted = Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)))
  const json = JSON.stringify({ data: sorted, kind: 'ConfigMap', name: '' }).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const hex = createHash('sha256').update(json).digest('hex').slice(0, 10)
  return [...hex].map((char) => replaced[char] ?? char).join('')
}
