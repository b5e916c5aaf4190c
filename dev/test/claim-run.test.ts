import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endLeftovers, markedProcesses } from '../processes/leftovers.ts'
import { freePorts, isListening } from '../processes/ports.ts'
import { identityOf } from '../processes/process-identity.ts'
import { claimRun, readRunRecord, writeRunRecord } from '../processes/run-record.ts'
import type { Run, RunRecord } from '../processes/run-record.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

describe('a claimed data folder', () => {
  let dataDir: string
  let port: number
  let run: Run | undefined
  const started: ChildProcess[] = []
  const lines: string[] = []

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'claim-'))
    port = (await freePorts(1))[0] as number
    lines.length = 0
    run = undefined
  })
  afterEach(async () => {
    const ofProduct = run ? undefined : readRunRecord(dataDir)?.mark
    run?.release()
    for (const process of started.splice(0)) process.kill('SIGKILL')
    if (ofProduct) await endLeftovers(ofProduct)
    expect(await isListening(port)).toBe(false)
    await rm(dataDir, { recursive: true })
  })
  const claim = async () => {
    const about = { command: 'npm start', url: 'http://localhost:1' }
    run = await claimRun(dataDir, about, (line) => lines.push(line))
  }
  const startProduct = async () => {
    const product = spawn(process.execPath, [
      join(import.meta.dirname, 'fake-product.ts'),
      dataDir,
      String(port),
    ])
    started.push(product)
    await waitUntil('the product to be up', () => isListening(port))
    return product
  }
  const kill = async (process: ChildProcess) => {
    process.kill('SIGKILL')
    await once(process, 'exit')
  }
  const startOther = () => {
    const process = spawn('sleep', ['60'])
    started.push(process)
    return process
  }
  const record = () => readRunRecord(dataDir) as RunRecord

  it('is closed to the other users of the machine, also when it was open', async () => {
    await chmod(dataDir, 0o755)
    await claim()
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })

  it('is refused to a second run, with the address of the first and the way to end it', async () => {
    const product = await startProduct()
    await expect(claim()).rejects.toThrow(
      new RegExp(
        `is already running .*process ${product.pid}.*: http://localhost:1. To end it: npm run stop`,
      ),
    )
    expect(await isListening(port)).toBe(true)
  })

  it('goes to the next run after a SIGKILL, and that run ends the processes left running', async () => {
    await kill(await startProduct())
    // The grandchild does not get the signal that kills children with their parent.
    expect(await isListening(port)).toBe(true)
    await claim()
    expect(lines).toEqual([
      expect.stringMatching(/^The last npm start was killed; ended [12] processes it left running/),
    ])
    expect(await isListening(port)).toBe(false)
    expect(record().pid).toBe(process.pid)
  })

  it('leaves alone a process that reuses an id of the last run', async () => {
    await kill(await startProduct())
    const other = startOther()
    const parts = [{ name: 'kafka', pid: other.pid as number, port, healthUrl: undefined }]
    writeRunRecord(dataDir, { ...record(), pid: other.pid as number, parts })
    await claim()
    expect(identityOf(other.pid as number)).not.toBeNull()
    expect(await isListening(port)).toBe(false)
  })

  it('ends a leftover that is paused or ignores SIGTERM', async () => {
    await kill(await startProduct())
    const ignoring = spawn(
      process.execPath,
      ['-e', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log('up')`],
      {
        env: { SUMLOCK_RUN: record().mark },
      },
    )
    started.push(ignoring)
    await once(ignoring.stdout, 'data')
    for (const pid of markedProcesses(record().mark)) process.kill(pid, 'SIGSTOP')
    const gone = once(ignoring, 'exit')
    await endLeftovers(record().mark, 300)
    expect((await gone)[1]).toBe('SIGKILL')
    expect(await isListening(port)).toBe(false)
  })
})
