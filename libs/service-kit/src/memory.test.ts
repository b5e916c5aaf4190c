import { printedBy } from '@sumlock/testing/own-process'

const memory = new URL('memory.ts', import.meta.url).href

const printed = (program: string): unknown =>
  printedBy(program, [
    '--allow-natives-syntax',
    '--min-semi-space-size=2',
    '--max-semi-space-size=16',
    // Keeps V8 from collecting the old generation by itself.
    '--initial-old-space-size=512',
  ])

describe('the young generation of a service', () => {
  /** Its largest size in MB during 0.7 s of work, 5 ms at a time, and its size after 0.7 s without work. Runs `prepare` first. */
  const sizes = (prepare = '') =>
    printed(`
      import { performance } from 'node:perf_hooks'
      import { getHeapSpaceStatistics } from 'node:v8'
      import { fitMemoryToLoad } from ${JSON.stringify(memory)}
      const megabytes = () => getHeapSpaceStatistics()
        .find(({ space_name }) => space_name === 'new_space').physical_space_size / 2 ** 20
      ${prepare}
      fitMemoryToLoad(50)
      const kept = []
      let count = 0
      let largest = 0
      const end = performance.now() + 700
      const work = () => {
        const until = performance.now() + 5
        while (performance.now() < until) kept[count % 20_000] = [(count += 1)]
        largest = Math.max(largest, megabytes())
        if (performance.now() < end) setTimeout(work, 0)
        else setTimeout(() => process.stdout.write(JSON.stringify([largest, megabytes()])), 700)
      }
      work()`) as [number, number]

  it('grows beyond 16 MB while the service is busy, and shrinks when it is idle', () => {
    const [busy, idle] = sizes()
    expect(busy).toBeGreaterThan(16)
    expect(idle).toBeLessThan(4)
  })

  // The load is set, not made, because time spent waiting for a processor counts as busy. Only the difference of two readings
  // gives the right one.
  it.each([
    [0.5, 4],
    [0.7, 32],
  ])('with a utilization of %d is %d MB at most', (utilization, largest) => {
    const sinceStart = 1.2 - utilization
    const [size] = sizes(`performance.eventLoopUtilization = (now, before) =>
      ({ utilization: before ? ${utilization} : ${sinceStart} })`)
    expect(size).toBeGreaterThan(largest / 2)
    expect(size).toBeLessThanOrEqual(largest)
  })
})

describe('a service with 32 MB of garbage in its old generation', () => {
  /** Whether the garbage is collected within 0.6 s while the event loop runs `work`. */
  const givesBack = (work: string) =>
    printed(`
      import { getHeapSpaceStatistics } from 'node:v8'
      import { fitMemoryToLoad } from ${JSON.stringify(memory)}
      const oldBytes = () => getHeapSpaceStatistics()
        .filter(({ space_name }) => !space_name.startsWith('new_'))
        .reduce((sum, { physical_space_size }) => sum + physical_space_size, 0)
      fitMemoryToLoad(50)
      const before = oldBytes()
      let many = Array.from({ length: 4 }, () => new Array(10 ** 6).fill(0.5))
      gc({ type: 'minor', execution: 'sync' })
      many = undefined
      const grown = oldBytes() - before
      const end = performance.now() + 600
      const isGivenBack = () => oldBytes() - before < grown / 8
      setInterval(() => {
        if (!isGivenBack() && performance.now() < end) return
        process.stdout.write(JSON.stringify({ grownBy32: grown > 30e6, isGivenBack: isGivenBack() }))
        process.exit()
      }, 50)
      ${work}`)

  it('collects it while idle', () => {
    expect(givesBack('')).toEqual({ grownBy32: true, isGivenBack: true })
  })

  it('does not collect it while busy, because the pause would delay requests', () => {
    expect(givesBack('const work = () => setImmediate(work); work()')).toEqual({
      grownBy32: true,
      isGivenBack: false,
    })
  })
})

describe('a hot function', () => {
  /** Bits of V8's OptimizationStatus: compiled by Maglev or by TurboFan. */
  const compilers = { maglev: 1 << 5, turboFan: 1 << 6 }
  const compiledBy = (flags: string) => {
    const status = printed(`
      import { memoryBeforeSpeed, setV8Flags, withoutTurboFan } from ${JSON.stringify(memory)}
      setV8Flags(${flags})
      const hot = (count) => {
        let sum = 0
        for (let index = 0; index < count; index += 1) sum += index % 7
        return sum
      }
      const end = performance.now() + 500
      while (performance.now() < end) hot(1000)
      process.stdout.write(JSON.stringify(%GetOptimizationStatus(hot)))`) as number
    return Object.entries(compilers).flatMap(([name, bit]) => (status & bit ? [name] : []))
  }

  it.each([
    ['[]', ['turboFan']],
    ['withoutTurboFan', ['maglev']],
    ['memoryBeforeSpeed', ['maglev']],
  ])('with the flags %s is compiled by %j', (flags, expected) => {
    expect(compiledBy(flags)).toEqual(expected)
  })
})
