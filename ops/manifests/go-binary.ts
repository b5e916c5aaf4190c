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
  /** The module that contains it, as in a go.mod: `path version`. */
  require: string
  /** The replace directives of its go.mod, one per line. */
  replace?: string
  /** Path of a go.sum with its dependencies. */
  checksums?: string
  linkerFlags?: string
  tags?: readonly string[]
}

/** Path of a program in the cache. The first call compiles it from its published module with the installed Go. */
export async function goBinary(program: GoProgram, progress: Progress): Promise<string> {
  const { name, version } = program
  const cache = join(dirname(engineCache), 'tools')
  const title = `Compiling ${name} ${version} with Go (minutes, once)`
  const folder = await cached({ name: `${name}-${version}`, title, bytes: 3e9, progress, cache }, (part) =>
    compile(join(part, name), program),
  )
  return join(folder, name)
}

/** Throws when Go is not installed. */
export async function requireGo(): Promise<void> {
  try {
    await run('go', ['version'])
  } catch (cause) {
    throw new Error('Go is needed to compile this. Please install Go 1.26 or newer (https://go.dev/dl).', {
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
    // Low priority and two packages at a time keep the machine usable.
    const flags = ['-p', '2', '-mod=mod', '-trimpath', '-tags', (program.tags ?? []).join()]
    const linking = ['-ldflags', `-s -w ${program.linkerFlags ?? ''}`.trim()]
    const command = ['nice', '-n', '15', 'go', 'build', ...flags, ...linking, '-o', target, program.package]
    await run('env', ['CGO_ENABLED=0', ...command], { cwd: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
