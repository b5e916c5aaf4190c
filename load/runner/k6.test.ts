import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silent } from '@sumlock/dev/processes/progress'
import { k6Binary } from './k6.ts'

let cache: string
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'sumlock-k6-'))
})
afterEach(() => rm(cache, { recursive: true, force: true }))

const nothing = () => Promise.resolve(null)

describe('k6', () => {
  it('is taken from PATH when it is new enough', async () => {
    const find = (program: string, version: RegExp) =>
      Promise.resolve(version.test('k6 v2.0.1 (go1.26, linux/amd64)') ? program : null)
    expect(await k6Binary({ progress: silent, cache, find })).toBe('k6')
    const old = (_program: string, version: RegExp) =>
      Promise.resolve(version.test('k6 v0.52.0') ? 'k6' : null)
    const runProgram = () => Promise.reject(new Error('go is not installed'))
    await expect(k6Binary({ progress: silent, cache, find: old, runProgram })).rejects.toThrow(
      'Neither k6 nor Go',
    )
  })

  it('is built with Go otherwise, once', async () => {
    const calls: string[] = []
    const runProgram = async (command: string, args: readonly string[]) => {
      calls.push([command, ...args].join(' ').replace(cache, ''))
      const folder = args[0]?.startsWith('GOBIN=') ? args[0].slice('GOBIN='.length) : null
      if (folder) await writeFile(join(folder, 'k6'), 'built')
      return ''
    }
    const path = await k6Binary({ progress: silent, cache, find: nothing, runProgram })
    expect(await readFile(path, 'utf8')).toBe('built')
    expect(calls).toEqual([
      'go version',
      expect.stringMatching(/^env GOBIN=\S+ go install go\.k6\.io\/k6@v\d+\.\d+\.\d+$/),
    ])
    expect(await k6Binary({ progress: silent, cache, find: nothing, runProgram })).toBe(path)
    expect(calls).toHaveLength(2)
  })

  it('says how to get it when there is neither k6 nor Go', async () => {
    const runProgram = () => Promise.reject(new Error('go is not installed'))
    await expect(k6Binary({ progress: silent, cache, find: nothing, runProgram })).rejects.toThrow(
      /^Neither k6 nor Go is installed: put k6 1 or newer on PATH, or install Go/,
    )
  })
})
