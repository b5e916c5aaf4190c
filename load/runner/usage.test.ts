import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { usageWithin, watchUsage } from './usage.ts'
import type { Reading } from './usage.ts'

const gateway = { name: 'gateway-1', isService: true }
const reading = (atMs: number, ticks: number, more: Partial<Reading> = {}): Reading => ({
  atMs,
  total: atMs / 5,
  busy: 0,
  steal: 0,
  generator: 0,
  processes: [{ ticks, residentMiB: 100 }],
  ...more,
})

describe('the usage within a window', () => {
  it('leaves out what was used before and after', () => {
    const readings = [reading(0, 0), reading(1000, 50), reading(3000, 70), reading(4000, 170)]
    const usage = usageWithin(readings, [gateway], { fromMs: 900, untilMs: 3900 })
    expect(usage.seconds).toBe(2)
    expect(usage.processes).toEqual([{ ...gateway, msPerSecond: 100, peakMiB: 100 }])
  })

  it('separates the host and other processes from product and generator', () => {
    const last = reading(10_000, 300, { total: 2000, busy: 1000, steal: 40, generator: 500 })
    const usage = usageWithin([reading(0, 0), last], [gateway])
    expect(usage).toMatchObject({ stealPercent: 2, othersPercent: 10, generatorMsPerSecond: 500 })
  })

  it('has the largest memory', () => {
    const large = { processes: [{ ticks: 1, residentMiB: 180 }] }
    const usage = usageWithin([reading(0, 0), reading(1000, 1, large), reading(2000, 2)], [gateway])
    expect(usage.processes[0]?.peakMiB).toBe(180)
  })

  it('is refused without two readings', () => {
    expect(() => usageWithin([reading(0, 0)], [gateway])).toThrow('fewer than two readings')
  })
})

describe('a program that uses a processor for 300 ms', () => {
  /** Runs one from the ready line on until it has printed a second one. */
  async function busyProgram() {
    const code = `process.stdin.once('data', () => {
      while (process.cpuUsage().user < 300_000 + started) {}
      console.log('done')
    })
    const started = process.cpuUsage().user
    console.log('ready')`
    const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    return {
      pid: child.pid ?? 0,
      async work() {
        child.stdin.write('go\n')
        await once(child.stdout, 'data')
      },
      async [Symbol.asyncDispose]() {
        child.kill()
        await exited
      },
    }
  }

  it('is counted when it belongs to the product', async () => {
    await using program = await busyProgram()
    const watch = watchUsage([{ ...gateway, pid: program.pid }], () => undefined)
    await program.work()
    const { processes, seconds } = watch!.end()
    expect(processes[0]!.msPerSecond * seconds).toBeGreaterThan(250)
    expect(processes[0]!.peakMiB).toBeGreaterThan(20)
  })

  it('is counted as the generator, and once more when it has ended', async () => {
    await using program = await busyProgram()
    let pid: number | undefined = program.pid
    const watch = watchUsage([], () => pid)
    await program.work()
    await program[Symbol.asyncDispose]()
    pid = undefined
    const { generatorMsPerSecond, seconds } = watch!.end()
    expect(generatorMsPerSecond * seconds).toBeGreaterThan(250)
  })

  it('is refused by its name when it ends while it is watched', async () => {
    await using program = await busyProgram()
    const watch = watchUsage([{ ...gateway, pid: program.pid }], () => undefined)
    await program[Symbol.asyncDispose]()
    expect(() => watch!.end()).toThrow(`gateway-1 (process ${program.pid}) has ended.`)
  })
})
