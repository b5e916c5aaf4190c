import { createRepeater } from './repeater.ts'
import { FakeClock } from './test-support/fake-clock.ts'

function setUp({ minGapMs }: { minGapMs?: number } = {}) {
  const clock = new FakeClock()
  const runs: number[] = []
  const plan: { delayMs: number | null } = { delayMs: null }
  const work = async () => {
    runs.push(clock.nowMs())
    await clock.wait(100)
  }
  const options = {
    clock,
    work,
    nextDelayMs: () => plan.delayMs,
    ...(minGapMs === undefined ? {} : { minGapMs }),
  }
  return { clock, runs, plan, repeater: createRepeater(options) }
}

describe('a repeater', () => {
  it('runs once more for all requests during a run', async () => {
    const { clock, runs, repeater } = setUp()
    for (let asked = 0; asked < 3; asked += 1) repeater.now()
    await clock.advance(1000)
    expect(runs).toEqual([0, 100])
  })

  it('counts the delay from the end of a run, also when it changes meanwhile', async () => {
    const { clock, runs, plan, repeater } = setUp()
    repeater.now()
    await clock.advance(500)
    plan.delayMs = 1000
    repeater.replan()
    await clock.advance(600)
    expect(runs).toEqual([0, 1100])
  })

  it('runs again after the delay, as often as it is not closed', async () => {
    const { clock, runs, plan, repeater } = setUp()
    plan.delayMs = 1000
    repeater.now()
    await clock.advance(2300)
    expect(runs).toEqual([0, 1100, 2200])
  })

  it('plans nothing during a run, and one run however often it is asked to plan', async () => {
    const { clock, runs, plan, repeater } = setUp()
    repeater.now()
    plan.delayMs = 50
    repeater.replan()
    await clock.advance(120)
    repeater.replan()
    expect(clock.pending).toBe(1)
    await clock.advance(100)
    expect(runs).toEqual([0, 150])
  })

  it('does not run once more when its planned time falls into a run', async () => {
    const { clock, runs, plan, repeater } = setUp()
    repeater.now()
    await clock.advance(100)
    plan.delayMs = 50
    repeater.replan()
    repeater.now()
    plan.delayMs = null
    await clock.advance(1000)
    expect(runs).toEqual([0, 100])
  })

  it('runs no more once it is closed between two runs', async () => {
    const { clock, runs, plan, repeater } = setUp()
    plan.delayMs = 1000
    repeater.now()
    await clock.advance(500)
    repeater.close()
    repeater.now()
    repeater.replan()
    expect(clock.pending).toBe(0)
    expect(runs).toEqual([0])
  })

  it('runs at once, and then for all requests of the least gap once at its end', async () => {
    const { clock, runs, repeater } = setUp({ minGapMs: 1000 })
    repeater.now()
    await clock.advance(50)
    repeater.now()
    await clock.advance(450)
    repeater.now()
    await clock.advance(5000)
    expect(runs).toEqual([0, 1000])
    repeater.now()
    expect(runs).toEqual([0, 1000, 5500])
  })

  it('stops after the present run once closed', async () => {
    const { clock, runs, plan, repeater } = setUp()
    plan.delayMs = 10
    repeater.now()
    repeater.now()
    repeater.close()
    repeater.now()
    await clock.advance(1000)
    expect(runs).toEqual([0])
    expect(clock.pending).toBe(0)
  })
})
