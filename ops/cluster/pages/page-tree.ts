import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { imageComponent } from '../../images/image-component.ts'
import type { TryContext } from '../steps/try-step.ts'

/** The lines of a page write into these folders, and a step changes files in them. */
const copied = ['k8s', 'tools']
const left = ['.git', '.data', 'artifacts', 'coverage']

export const treeFolder = join(repoRoot, '.data/k8s-try/tree')

/**
 * Makes a copy of the repository in which a page's lines run, so that they change no file of a person, least of all
 * `k8s/secrets`. `images` are deployed instead of those of the last `npm run images`. Its secrets stay from an earlier call, because the cluster's data need the same ones.
 */
export function pageTree({ images }: Pick<TryContext, 'images'>, folder = treeFolder): string {
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
  const component = join(folder, 'k8s/deploy/images/kustomization.yaml')
  if (images !== undefined) {
    mkdirSync(dirname(component), { recursive: true })
    writeFileSync(component, imageComponent(images))
  }
  if (!existsSync(component)) throw new Error('No image was built yet: run npm run images first.')
  return folder
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
