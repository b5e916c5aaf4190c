import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allEvents } from '@sumlock/contracts/all-events'
import { repoRoot } from '@sumlock/dev/config'

export interface Work {
  /** The handlers are listed by the types of their events. */
  handlers: string[]
  jobs: string[]
  sweeps: string[]
}

/** Finds the event handlers, jobs and sweeps in the sources of a service or a library, such as `services/auth`. */
export function workInSources(folder: string): Work {
  const texts = globSync(join(folder, 'src/**/*.ts'), { cwd: repoRoot })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(repoRoot, path), 'utf8'))
  const textsWith = (used: string) => texts.filter((text) => text.includes(used))
  const types = new Map(Object.entries(allEvents).map(([name, { type }]) => [name, type]))
  return {
    handlers: textsWith("from '@sumlock/bus/handler'").flatMap((text) =>
      [...text.matchAll(/\bon\(\s*(\w+),/g)].map(([, name = '']) => types.get(name) ?? name),
    ),
    jobs: textsWith('openJobs(').flatMap((text) =>
      [...text.matchAll(/\bopenJobs\([^[]*\[([^\]]*)\]/g)].flatMap(
        ([, kinds = '']) => kinds.match(/\w+/g) ?? [],
      ),
    ),
    sweeps: texts.filter((text) => repeats.test(text)).flatMap(sweepsIn),
  }
}

/** A service repeats its jobs by `ctx.repeat`, and a library by `createRepeater`; `text.repeat` is another function. */
const repeats = /\bcreateRepeater\(|\bctx\.repeat\(|(?<!\.)\brepeat\(/

/** The repeater that resolves DNS names has a name with a host in it, so it is not listed. */
const unnamed = 'name: `resolving'

function sweepsIn(text: string): string[] {
  const names = [...text.matchAll(/\bname: '([^']+)',\s+everyMs|\brepeat\('([^']+)'/g)].map(
    ([, name, repeated]) => String(name ?? repeated),
  )
  const isDefinition = text.includes('export function createRepeat')
  if (names.length === 0 && !isDefinition && !text.includes(unnamed))
    throw new Error(`A repeated job has no name that is written out: ${text.slice(0, 500)}`)
  return names
}
