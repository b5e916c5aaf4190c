import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWithin } from './run-within.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-run-'))
})
afterEach(() => rm(folder, { recursive: true }))

const forEver = 'setInterval(() => {}, 1000)'
const deaf = `process.on('SIGTERM', () => {})`
const run = (source: string, options: { limitMs?: number; endMs?: number; report?: string } = {}) =>
  runWithin({
    ...{ command: ['node', '-e', source], cwd: folder, env: process.env },
    ...{ limitMs: 60_000, graceMs: 100, ...options },
  })

it('answers with the code of a command that ends by itself', async () => {
  expect(await run('process.exit(0)')).toEqual({ code: 0, ended: null })
  expect(await run('process.exit(3)')).toEqual({ code: 3, ended: null })
})

it('ends a command that takes longer than its limit, also one that does not hear', async () => {
  const { code, ended } = await run(`${deaf}; ${forEver}`, { limitMs: 300 })
  expect(code).toBe(1)
  expect(ended).toBe('it took longer than 0.3 s')
})

it('ends a command that has written its report and does not end', async () => {
  const report = join(folder, 'report.json')
  const source = `require('node:fs').writeFileSync(${JSON.stringify(report)}, '{}'); ${forEver}`
  const { code, ended } = await run(source, { report, endMs: 300 })
  expect(code).toBe(1)
  expect(ended).toMatch(/^it had written its report and did not end within 0.3 s/)
})

it('counts as failed what could not be started', async () => {
  const nothing = runWithin({
    command: ['no-such-program'],
    cwd: folder,
    env: process.env,
    limitMs: 60_000,
  })
  expect(await nothing).toEqual({ code: 1, ended: null })
})
