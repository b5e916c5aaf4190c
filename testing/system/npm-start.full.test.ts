import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { identityOf } from '@sumlock/dev/processes/process-identity'
import { readRunRecord } from '@sumlock/dev/processes/run-record'
import type { PartRecord } from '@sumlock/dev/processes/run-record'
import { waitUntil } from '@sumlock/deployment/wait-until'

/** The commands a person types, on data and ports of their own. The tests build on each other, because a start takes seconds. */
describe('the product on one machine', () => {
  let dataDir: string
  let product: Running
  // The port is below the ports that other tests choose from.
  let port = 0
  const newPort = () => 5100 + 100 * randomInt(0, 8)

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'product-'))
    product = await startProduct()
  })
  afterAll(async () => {
    await command('stop')
    await rm(dataDir, { recursive: true })
  })

  /** Tries other ports when these are in use. */
  const startProduct = async (...options: string[]): Promise<Running> => {
    port = port === 0 ? newPort() : port
    const started = run('start', '--port', String(port), ...options)
    const answer = await waitUntil(
      'the start',
      () => /Ready in|Port [\d, ]+ is in use/.exec(started.output())?.[0],
      {
        timeoutMs: 120_000,
        giveUp: () => {
          if (started.ended() && !started.output().includes('is in use')) throw new Error(started.output())
        },
      },
    )
    if (answer === 'Ready in') return started
    port = newPort()
    return startProduct(...options)
  }
  const run = (name: string, ...args: string[]) => new Running(name, ['--data', dataDir, ...args])
  const command = (name: string, ...args: string[]) => run(name, ...args).end()
  const part = (name: string) =>
    readRunRecord(dataDir)?.parts.find((each) => each.name === name) as PartRecord
  const pids = () => readRunRecord(dataDir)?.parts.flatMap(({ pid }) => pid ?? []) ?? []

  it('reports a healthy product and shows the logs of its parts', async () => {
    const status = await command('status')
    expect(status.output).toContain('All is well.')
    expect(status.code).toBe(0)
    expect((await command('logs', 'messaging', '-n', '1')).output).toContain('"service":"messaging"')
  })

  it('refuses a second start, used ports and a reset, each with one sentence and without a change', async () => {
    const elsewhere = join(dataDir, 'elsewhere')
    const [second, taken, reset] = await Promise.all([
      command('start', '--port', String(port)),
      new Running('start', ['--data', elsewhere, '--port', String(port)]).end(),
      command('reset', '--yes'),
    ])
    expect(second.output.trim()).toMatch(/^The product is already running .*To end it: npm run stop$/)
    expect(taken.output.trim()).toMatch(/^Port [\d, ]+ is in use .* npm start -- --port \d+$/)
    expect(reset.output.trim()).toBe(second.output.trim())
    expect(second.code).toBe(1)
    expect(taken.code).toBe(1)
    expect(reset.code).toBe(1)
    expect(await readdir(elsewhere)).toEqual([])
    expect(pids().filter((pid) => identityOf(pid) === null)).toEqual([])
  })

  it.each(['mongo', 'messaging-1'])(
    'reports that %s was killed, ends every other process, and can start again',
    async (name) => {
      const all = pids()
      process.kill(part(name).pid, 'SIGKILL')
      expect((await product.end()).code).toBe(1)
      expect(product.output()).toContain(`${name} was killed (SIGKILL); stopping the product.`)
      expect(product.output()).toContain(`its log: ${join(dataDir, 'logs', `${name}.log`)}`)
      expect(all.filter((pid) => identityOf(pid) !== null)).toEqual([])
      product = await startProduct()
    },
  )

  it('starts again after the command itself was killed', async () => {
    process.kill(readRunRecord(dataDir)?.pid as number, 'SIGKILL')
    await product.end()
    const [status, reset] = await Promise.all([command('status'), command('reset', '--yes')])
    expect(status.code).toBe(1)
    expect(reset.output).toContain('First: npm run stop')
    product = await startProduct()
    expect(product.output()).toContain('The last npm start was killed')
  })

  it('runs all services in one process, and ends when that is killed', async () => {
    await command('stop')
    await product.end()
    product = await startProduct('--one-process')
    expect(new Set(pids()).size).toBe(6)
    expect((await command('status')).output).toContain('All is well.')
    process.kill(part('messaging-1').pid, 'SIGKILL')
    expect((await product.end()).code).toBe(1)
    expect(product.output()).toContain('services was killed (SIGKILL); stopping the product.')
    product = await startProduct()
  })

  it('stops every process from another terminal, and can then be reset', async () => {
    const all = pids()
    expect(all).toHaveLength(11)
    expect((await command('stop')).output).toContain('It is stopped; your data is kept.')
    expect((await product.end()).code).toBe(0)
    expect(all.filter((pid) => identityOf(pid) !== null)).toEqual([])
    const [status, reset] = await Promise.all([command('status'), command('reset', '--yes')])
    expect(status).toMatchObject({ code: 1, output: expect.stringContaining('not running') as string })
    expect(reset.output).toMatch(
      /Deleted from .*: mongo, kafka, redis, s3, inbox, logs, mongo\.key, secrets\.json/,
    )
    expect(await readdir(dataDir)).toEqual(['elsewhere'])
  })
})

/** Runs one of the commands as `npm run` does. */
class Running {
  private readonly child: ChildProcess
  private readonly chunks: string[] = []
  private readonly closed: Promise<number | null>

  constructor(name: string, args: readonly string[]) {
    const flags = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning']
    const script = join(repoRoot, 'dev/commands', `${name}.ts`)
    this.child = spawn(process.execPath, [...flags, script, ...args], { cwd: repoRoot })
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => this.chunks.push(chunk.toString()))
    this.closed = new Promise((resolve) => this.child.once('close', resolve))
  }
  output(): string {
    return this.chunks.join('')
  }
  ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }
  async end(): Promise<{ code: number | null; output: string }> {
    return { code: await this.closed, output: this.output() }
  }
}
