import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dockerProblem } from './docker-problem.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-docker-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('dockerProblem', () => {
  it.each([
    ['exit 0', undefined],
    ['echo "permission denied while trying to connect" >&2; exit 1', 'add it to the group docker'],
    ['echo "Cannot connect to the Docker daemon" >&2; exit 1', 'no Docker engine answers; start it'],
  ])('tells what to do when docker runs as: %s', async (script, sentence) => {
    const path = join(folder, 'docker')
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o755)
    const problem = await dockerProblem(path)
    if (sentence === undefined) expect(problem).toBeUndefined()
    else expect(problem).toContain(sentence)
  })

  it('tells how to install Docker where it is missing', async () => {
    expect(await dockerProblem(join(folder, 'none'))).toContain('apt-get install docker.io')
  })
})
