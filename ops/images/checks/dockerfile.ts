import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

export const dockerfiles = ['ops/images/service.Dockerfile', 'ops/images/web.Dockerfile'] as const
export type DockerfileName = (typeof dockerfiles)[number]

export interface Instruction {
  name: string
  rest: string
}

/** The instructions of a Dockerfile without comments and line breaks. */
export function instructionsOf(file: DockerfileName): Instruction[] {
  const text = readFileSync(join(repoRoot, file), 'utf8')
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
  return lines.flatMap((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
    return name ? [{ name, rest: rest.replace(/\s+/g, ' ') }] : []
  })
}

/** The instructions of the last stage, which makes the image. */
export function lastStageOf(file: DockerfileName): Instruction[] {
  const all = instructionsOf(file)
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
}

/** The environment variables that an image sets. */
export function imageEnvironment(file: DockerfileName): Record<string, string> {
  const pairs = lastStageOf(file)
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ rest }) => rest.split(' '))
  return Object.fromEntries(
    pairs.map((pair) => [pair.split('=', 1)[0] as string, pair.slice(pair.indexOf('=') + 1)] as const),
  )
}
