import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { freePorts, isListening } from '../processes/ports.ts'
import type { PartRecord } from '../processes/run-record.ts'
import { createSupervisor } from '../processes/supervise.ts'
import type { Supervisor } from '../processes/supervise.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

/** Listens while the file it is told exists, and otherwise ends with a complaint. */
const program = `
const [port, file] = process.argv.slice(1)
if (!require('node:fs').existsSync(file)) { console.error('no such table'); process.exit(3) }
console.log('listening soon')
require('node:net').createServer().listen(Number(port), '127.0.0.1')`

const backOff = { firstMs: 50, mostMs: 200, healthyMs: 300 }

describe('a supervised child', () => {
  let folder: string
  let port: number
  let child: Child
  let supervisor: Supervisor
  let parts: PartRecord[] = []
  let cause: string | null = null
  const reports: string[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'supervise-'))
    port = (await freePorts(1))[0] as number
    reports.length = 0
    cause = null
    await writeFile(join(folder, 'table'), '')
    child = createChild({
      name: 'listener',
      command: process.execPath,
      args: ['-e', program, String(port), join(folder, 'table')],
      logFile: join(folder, 'listener.log'),
      ready: () => isListening(port),
    })
    supervisor = createSupervisor({
      ...{ backOff, cause: () => cause, report: (text) => reports.push(text) },
      onChange: (now) => (parts = now),
    })
    await child.start()
    supervisor.watch(child, { kind: 'http', url: '', port })
  })
  afterEach(async () => {
    supervisor.stop()
    await child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const killFromOutside = () => process.kill(child.pid as number, 'SIGKILL')
  const reported = (text: string) => waitUntil(text, () => reports.some((report) => report.includes(text)))

  it('is named when it was killed, with the reason, its last words and its log, and is back where it was', async () => {
    const first = child.pid
    killFromOutside()
    await reported('listener is back')
    expect(reports[0]).toMatch(
      /^listener was killed \(SIGKILL.*; starting it again in 0\.05 s\.\n {2}\| listening soon\n/,
    )
    expect(reports[0]).toContain(`its log: ${child.logFile}`)
    expect(child.pid).not.toBe(first)
    expect(await isListening(port)).toBe(true)
    expect(parts).toEqual([
      expect.objectContaining({ name: 'listener', state: 'running', restarts: 1, pid: child.pid }),
    ])
  })

  it('is tried again ever more rarely while it fails, and soon again once it was well for long enough', async () => {
    await rm(join(folder, 'table'))
    killFromOutside()
    await waitUntil('five deaths', () => reports.length >= 5)
    await writeFile(join(folder, 'table'), '')
    await reported('listener is back')
    const delays = () => reports.flatMap((report) => /again in ([\d.]+) s/.exec(report)?.[1] ?? [])
    expect(delays().slice(0, 5)).toEqual(['0.05', '0.1', '0.2', '0.2', '0.2'])
    expect(reports[1]).toMatch(/^listener failed \(exit code 3\);.*\n {2}\| no such table\n/)

    const wellAt = Date.parse(parts[0]?.since ?? '') + backOff.healthyMs
    await waitUntil('it to have been well long enough', () => Date.now() > wellAt)
    const before = delays().length
    killFromOutside()
    await waitUntil('the next death', () => delays().length > before)
    expect(delays()[before]).toBe('0.05')
  })

  it('dies with a likely cause beside it when there is one', async () => {
    cause = 'The disk is full.'
    killFromOutside()
    await reported('listener is back')
    expect(reports[0]?.split('\n')[1]).toBe('The disk is full.')
  })

  it('is not started again once supervision has ended, also when it was waiting for that', async () => {
    await rm(join(folder, 'table'))
    killFromOutside()
    await waitUntil('a long wait', () => reports.length >= 3)
    supervisor.stop()
    await writeFile(join(folder, 'table'), '')
    const count = parts[0]?.restarts
    // Nothing is to happen: give it the time in which it would.
    const until = performance.now() + 2 * backOff.mostMs
    await waitUntil('the time to pass', () => performance.now() > until)
    expect(child.running).toBe(false)
    expect(parts[0]?.restarts).toBe(count)
  })

  it('starts once when it is to be restarted again and again, also while it waits after a death', async () => {
    killFromOutside()
    await waitUntil('the death', () => reports.length > 0)
    await Promise.all([1, 2, 3].map(() => supervisor.restart('listener')))
    await waitUntil('it to be back', () => isListening(port))
    expect(reports.filter((report) => report.includes('does not get ready'))).toEqual([])
    expect(reports.filter((report) => report.includes('is back'))).toHaveLength(1)
    expect(existsSync(child.logFile)).toBe(true)
  })
})
