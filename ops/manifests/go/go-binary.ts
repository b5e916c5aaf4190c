import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { engineCache } from '@sumlock/dev/config'
import { cached } from '@sumlock/dev/engines/fetch-engine'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'

export interface GoProgram {
  name: string
  version: string
  /** Import path of its main package. */
  package: string
  /** The module that has it, as in a go.mod: `path version`. */
  require: string
  /** What its own module replaces, one line each. */
  replace?: string
  /** A go.sum that knows its dependencies. */
  checksums?: string
  linkerFlags?: string
  /** Build tags: what of it is wanted. */
  tags?: readonly string[]
}

/** Path of a program that the installed Go compiles once from its published module; then it lies in the cache. */
export async function goBinary(program: GoProgram, progress: Progress): Promise<string> {
  const { name, version } = program
  const cache = join(dirname(engineCache), 'tools')
  const title = `Compiling ${name} ${version} with Go (minutes, once)`
  const folder = await cached({ name: `${name}-${version}`, title, bytes: 3e9, progress, cache }, (part) =>
    compile(join(part, name), program),
  )
  return join(folder, name)
}

/** Throws a sentence for a person when there is no Go. */
export async function requireGo(): Promise<void> {
  try {
    await run('go', ['version'])
  } catch (cause) {
    throw new Error('This is compiled with Go. Please install Go 1.26 or newer (https://go.dev/dl).', {
      cause,
    })
  }
}

async function compile(target: string, program: GoProgram): Promise<void> {
  await requireGo()
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-go-'))
  try {
    const lines = ['module sumlock.invalid/build', 'go 1.25.0', `require ${program.require}`]
    if (program.replace) lines.push(`replace (\n${program.replace}\n)`)
    await writeFile(join(folder, 'go.mod'), `${lines.join('\n\n')}\n`)
    if (program.checksums) await copyFile(program.checksums, join(folder, 'go.sum'))
    // Two packages at a time: the machine belongs to its person meanwhile.
    const flags = ['-p', '2', '-mod=mod', '-trimpath', '-tags', (program.tags ?? []).join()]
    const linking = ['-ldflags', `-s -w ${program.linkerFlags ?? ''}`.trim()]
    const command = ['nice', '-n', '15', 'go', 'build', ...flags, ...linking, '-o', target, program.package]
    await run('env', ['CGO_ENABLED=0', ...command], { cwd: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
