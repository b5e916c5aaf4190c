import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../processes/run.ts'
import { sha256Of } from './fetch-engine.ts'

/** The Maven plugin that downloads jars, at a fixed version. */
export const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'

/**
 * Downloads jars, each as `group:artifact:version`, with everything they depend on into `folder/libs`. Throws unless
 * they are exactly those of `checksums` (lines of sha256sum).
 */
export async function fetchFromMaven(
  folder: string,
  dependencies: readonly string[],
  checksums: string,
): Promise<void> {
  const pom = join(folder, 'pom.xml')
  const libs = join(folder, 'libs')
  await writeFile(
    pom,
    `<project><modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>engine</artifactId><version>1</version>
<dependencies>${dependencies.map(dependencyElement).join('')}</dependencies></project>\n`,
  )
  await mkdir(libs)
  const goal = `${dependencyPlugin}:copy-dependencies`
  await run('mvn', ['-q', '-B', '-f', pom, goal, '-DincludeScope=runtime', `-DoutputDirectory=${libs}`])
  await verifyChecksums(libs, checksums)
}

function dependencyElement(coordinate: string): string {
  const [group, artifact, version] = coordinate.split(':')
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
}

/** Throws unless the folder holds exactly the files of `checksums` (lines of sha256sum), unchanged. */
export async function verifyChecksums(folder: string, checksums: string): Promise<void> {
  const expected = new Map(checksums.trimEnd().split('\n').map(parseLine))
  const files = await readdir(folder)
  for (const file of files) {
    const actual = await sha256Of(join(folder, file))
    if (expected.get(file) !== actual)
      throw new Error(`${file} (sha256 ${actual}) is not the pinned file: refusing to run it.`)
  }
  const missing = [...expected.keys()].filter((file) => !files.includes(file))
  if (missing.length > 0) throw new Error(`The download lacks ${missing.join(', ')}.`)
}

function parseLine(line: string): [file: string, sha256: string] {
  const [sha256 = '', file = ''] = line.split(/\s+/)
  return [file, sha256]
}
