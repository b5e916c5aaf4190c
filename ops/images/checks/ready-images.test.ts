import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silent } from '@sumlock/dev/processes/progress'
import { dockerSilence } from './docker-silence.ts'
import { missingImage } from './ready-images.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-docker-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** A program in Docker's place; it writes down what it was asked. */
async function docker(script: string): Promise<string> {
  const path = join(folder, 'docker')
  await writeFile(path, `#!/bin/sh\necho "$*" >> '${folder}/asked'\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

const asked = async () => (await readFile(join(folder, 'asked'), 'utf8')).trim().split('\n')

describe('images for the integration suites', () => {
  it('are pulled where they are not there, and only then', async () => {
    const program = await docker(`case "$*" in 'image inspect b:2') exit 1;; esac`)
    expect(await missingImage(['a:1', 'b:2'], { docker: program, progress: silent })).toBeUndefined()
    expect(await asked()).toEqual(['image inspect a:1', 'image inspect b:2', 'pull -q b:2'])
  })

  it('are named in one sentence with the reason when they cannot be had', async () => {
    const program = await docker(
      `case "$1" in image) exit 1;; *) echo 'Error response from daemon: no such host' >&2; exit 1;; esac`,
    )
    expect(await missingImage(['a:1', 'b:2'], { docker: program, progress: silent })).toBe(
      'the image a:1 is not on this machine and could not be pulled (no such host).',
    )
  })
})

describe('a Docker engine that cannot be used', () => {
  it.each([
    ['exit 0', undefined],
    ['echo "permission denied while trying to connect" >&2; exit 1', 'add it to the group docker'],
    ['echo "Cannot connect to the Docker daemon" >&2; exit 1', 'no Docker engine answers; start it'],
  ])('is told from one that answers, with what to do: %s', async (script, sentence) => {
    const said = await dockerSilence(await docker(script))
    if (sentence === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(sentence)
  })

  it('is told when Docker is not installed at all', async () => {
    expect(await dockerSilence(join(folder, 'none'))).toContain('apt-get install docker.io')
  })
})
