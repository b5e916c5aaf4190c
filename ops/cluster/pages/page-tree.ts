import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

/** The lines of a page write into these folders, and a step changes files in them. */
const copied = ['k8s', 'tools']
const left = ['.git', '.data', 'artifacts', 'coverage']

/**
 * Makes a copy of the repository in which a page's lines run, so that they change no file of a person, least of all
 * `k8s/secrets`. Its secrets stay from an earlier call, because the cluster's data need the same ones.
 */
export function pageTree(folder = join(repoRoot, '.data/k8s-try/tree')): string {
  const isSecret = (path: string) => path.startsWith(join(repoRoot, 'k8s/secrets'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(repoRoot).filter((name) => !left.includes(name) && !copied.includes(name))) {
    rmSync(join(folder, name), { force: true })
    symlinkSync(join(repoRoot, name), join(folder, name))
  }
  for (const name of copied) {
    for (const old of namesIn(join(folder, name)).filter((old) => old !== 'secrets'))
      rmSync(join(folder, name, old), { recursive: true })
    cpSync(join(repoRoot, name), join(folder, name), {
      recursive: true,
      filter: (source) => !isSecret(source),
    })
  }
  mkdirSync(join(folder, 'k8s/secrets'), { recursive: true, mode: 0o700 })
  return folder
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
