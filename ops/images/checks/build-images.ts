import { repoRoot } from '@sumlock/dev/config'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { readCompose } from './compose-file.ts'
import type { Bases } from './local-bases.ts'

export interface Images {
  names: readonly string[]
  /** The full name of an image, by the part of the product that is in it. */
  of(part: string): string
  remove(): Promise<void>
}

const suffix = '-try'

/** Builds every image docker-compose.yml builds, with its arguments, under names of their own. */
export async function buildImages({
  bases,
  progress,
}: {
  bases: Bases | undefined
  progress: Progress
}): Promise<Images> {
  const built = new Map<string, string>()
  const base = bases
    ? ['--network', 'host', `--build-arg=NODE_IMAGE=${bases.node}`, `--build-arg=NGINX_IMAGE=${bases.nginx}`]
    : []
  for (const { image, build } of Object.values(readCompose().services)) {
    if (!build || built.has(image)) continue
    const name = image + suffix
    const values = Object.entries(build.args ?? {}).map(
      ([key, value]) => `--build-arg=${key}=${value.trim()}`,
    )
    await step(progress, `Building ${name}`, () =>
      run('docker', ['build', '-q', ...base, '-f', build.dockerfile, ...values, '-t', name, '.'], {
        cwd: repoRoot,
      }),
    )
    built.set(image, name)
  }
  const names = [...built.values()]
  return {
    names,
    of(part) {
      const found = names.find((name) => name.startsWith(`sumlock/${part}:`))
      if (!found) throw new Error(`docker-compose.yml builds no image for ${part}`)
      return found
    },
    remove: async () => void (await run('docker', ['rmi', ...names])),
  }
}
