import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { repoRoot } from '@sumlock/dev/config'

export const dockerfiles = ['ops/images/service.Dockerfile', 'ops/images/web.Dockerfile'] as const
type DockerfileName = (typeof dockerfiles)[number]

/** Returns the instructions of a Dockerfile without comments and line breaks. */
export function instructionsOf(file: DockerfileName) {
  const text = readFileSync(join(repoRoot, file), 'utf8')
  const lines = text.replace(/^#.*\n/gm, '').replaceAll('\\\n', ' ')
  const instructions = [...lines.matchAll(/^\s*([A-Z]+)\s+(.*)$/gm)]
  return instructions.map(([, name = '', rest = '']) => ({ name, rest: rest.trim().replace(/\s+/g, ' ') }))
}

/** Returns the instructions of the last stage, which builds the image. */
export function lastStageOf(file: DockerfileName) {
  const all = instructionsOf(file)
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
}

/** Returns the environment variables that an image sets. */
export function imageEnvironment(file: DockerfileName): Record<string, string> {
  const lines = lastStageOf(file).filter(({ name }) => name === 'ENV')
  return parseEnv(lines.flatMap(({ rest }) => rest.match(/(?:[^ "]|"[^"]*")+/g) ?? []).join('\n')) as Record<
    string,
    string
  >
}
