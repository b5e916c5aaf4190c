import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

export interface EventUsers {
  producers: readonly string[]
  consumers: readonly string[]
}

/** Finds the services that publish and consume each event by the imports in their sources. */
export async function eventUsers(names: readonly string[]): Promise<Record<string, EventUsers>> {
  const sources = await serviceSources()
  const usersOf = (name: string, inConsumers: boolean) => {
    const mentions = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '@sumlock/contracts/`)
    const found = sources.filter(
      ({ path, text }) => path.includes('/consumers/') === inConsumers && mentions.test(text),
    )
    return [...new Set(found.map(({ service }) => service))].sort()
  }
  return Object.fromEntries(
    names.map((name) => [name, { producers: usersOf(name, false), consumers: usersOf(name, true) }]),
  )
}

async function serviceSources(): Promise<{ service: string; path: string; text: string }[]> {
  const root = join(repoRoot, 'services')
  const paths = (await readdir(root, { recursive: true })).filter((path) =>
    /^[a-z]+\/src\/.*(?<!\.test)\.ts$/.test(path),
  )
  return Promise.all(
    paths.map(async (path) => ({
      service: path.split('/', 1)[0] as string,
      path,
      text: await readFile(join(root, path), 'utf8'),
    })),
  )
}
