import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { identityOf } from '@sumlock/dev/processes/process-identity'
import { runWithin } from './run-within.ts'
import type { RunWithin } from './run-within.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-run-'))
})
afterEach(() => rm(folder, { recursive: true }))

const runsForever = 'setInterval(() => {}, 1000)'
const ignoresSigterm = `process.on('SIGTERM', () => {})`

const run = (source: string, options: Partial<RunWithin> = {}) =>
  runWithin({
    command: ['node', '-e', source],
    cwd: folder,
    env: process.env,
    limitMs: 60_000,
    graceMs: 100,
    log: join(folder, 'run.log'),
    ...options,
  })

async function workerEnds(): Promise<void> {
  const [, pid] = /worker (\d+)/.exec(await readFile(join(folder, 'run.log'), 'utf8')) ?? []
  if (pid === undefined) throw new Error('No worker was started.')
  await waitUntil('the end of the worker', () => identityOf(Number(pid)) === null, { timeoutMs: 5000 })
}

describe('runWithin', () => {
  it('returns the exit code of a command that ends by itself', async () => {
    expect(await run('process.exit(0)')).toEqual({ code: 0, ended: null })
    expect(await run('process.exit(3)')).toEqual({ code: 3, ended: null })
  })

  it('keeps everything the command prints in its log', async () => {
    await run(`console.log('to stdout'); console.error('to stderr')`)
    const log = await readFile(join(folder, 'run.log'), 'utf8')
    expect(log).toContain('to stdout')
    expect(log).toContain('to stderr')
  })

  it('ends a command that takes longer than its limit, also one that ignores SIGTERM', async () => {
    const { code, ended } = await run(`${ignoresSigterm}; ${runsForever}`, { limitMs: 300 })
    expect(code).toBe(1)
    expect(ended).toBe('it took longer than 0.3 s')
  })

  it('ends a command that has written its report and does not end', async () => {
    const report = join(folder, 'report.json')
    const source = `require('node:fs').writeFileSync(${JSON.stringify(report)}, '{}'); ${runsForever}`
    const { code, ended } = await run(source, { report, endMs: 300 })
    expect(code).toBe(1)
    expect(ended).toMatch(/^it had written its report and did not end within 0.3 s/)
  })

  it('ends the workers of a command with it, at its limit and at an interruption', async () => {
    const worker = `console.log('worker', process.pid); ${ignoresSigterm}; ${runsForever}`
    const source = `
      require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(worker)}], { stdio: 'inherit' })
      ${runsForever}`
    const interruption = new AbortController()
    const workerRuns = async () => {
      const log = await readFile(join(folder, 'run.log'), 'utf8').catch(() => '')
      return /worker \d+/.test(log)
    }
    const interrupted = run(source, { stop: interruption.signal })
    await waitUntil('the worker', workerRuns)
    interruption.abort('SIGINT')
    await interrupted
    await workerEnds()
    await run(source, { limitMs: 5000 })
    await workerEnds()
  })

  it('reports a command that cannot be started as failed', async () => {
    expect(await run('', { command: ['no-such-program'] })).toEqual({ code: 1, ended: null })
  })
})
