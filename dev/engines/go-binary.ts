import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { engineCache } from '../config.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'
import { cached, isWhole } from './fetch-engine.ts'

export interface GoProgram {
  name: string
  version: string
  /** The program's main package has this import path; `.` with a main package of our own. */
  package: string
  /** The program is part of this module, written as in a go.mod: `path version`. */
  module: string
  linkerFlags?: string
  tags?: readonly string[]
  /** The text of a main package of our own, for a program that is put together from a module. */
  main?: string
}

const cache = join(dirname(engineCache), 'tools')
const folderName = ({ name, version }: GoProgram) => `${name}-${version}`

/**
 * Returns the path of a program in the cache. The first call compiles it from its published module with the installed
 * Go.
 */
export async function goBinary(program: GoProgram, progress: Progress): Promise<string> {
  const { name, version } = program
  const title = `Compiling ${name} ${version} with Go (minutes, once)`
  const folder = await cached({ name: folderName(program), title, bytes: 3e9, progress, cache }, (part) =>
    compile(join(part, name), program),
  )
  return join(folder, name)
}

/** Returns the path of a program that was compiled before; otherwise undefined. */
export async function compiledGoBinary(program: GoProgram): Promise<string | undefined> {
  const folder = join(cache, folderName(program))
  return (await isWhole(folder)) ? join(folder, program.name) : undefined
}

async function compile(target: string, program: GoProgram): Promise<void> {
  const { module, main, linkerFlags = '', tags = [] } = program
  await run('go', ['version']).catch((cause: unknown) => {
    const sentence = 'Go is needed to compile this. Please install Go 1.26 or newer (https://go.dev/dl).'
    throw new Error(sentence, { cause })
  })
  const download = await run('go', ['mod', 'download', '-json', module.replace(' ', '@')])
  const source = JSON.parse(download) as { Dir: string; Version: string }
  const goMod = await readFile(join(source.Dir, 'go.mod'), 'utf8')
  // Kubernetes replaces its own modules by folders that its archive lacks, so the published modules are used instead.
  const replacements = [...goMod.matchAll(/^\t(k8s\.io\/\S+) => \.\/staging/gm)].map(
    ([, name]) => `replace ${name} => ${name} ${source.Version.replace('v1', 'v0')}`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-go-'))
  try {
    const exclusions = goMod.match(/^exclude \($[^]*?^\)$/m) ?? []
    const lines = [
      'module sumlock.invalid/build',
      'go 1.25.0',
      `require ${module}`,
      ...replacements,
      ...exclusions,
    ]
    await writeFile(join(folder, 'go.mod'), `${lines.join('\n')}\n`)
    await copyFile(join(source.Dir, 'go.sum'), join(folder, 'go.sum'))
    if (main !== undefined) await writeFile(join(folder, 'main.go'), main)
    // Low priority and two packages at a time keep the machine usable.
    const flags = ['-p', '2', '-mod=mod', '-trimpath', '-tags', tags.join()]
    const linking = ['-ldflags', `-s -w ${linkerFlags}`.trim()]
    const command = ['nice', '-n', '15', 'go', 'build', ...flags, ...linking, '-o', target, program.package]
    await run('env', ['CGO_ENABLED=0', ...command], { cwd: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
