import { createScheduler } from './scheduler.ts'
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
  return { clock, runs, plan, scheduler: createScheduler(options) }
}

describe('a scheduler', () => {
  it('runs once more for all requests during a run', async () => {
    const { clock, runs, scheduler } = setUp()
    for (let asked = 0; asked < 3; asked += 1) scheduler.now()
    await clock.advance(1000)
    expect(runs).toEqual([0, 100])
  })

  it('counts the delay from the end of a run, even when it changes during the run', async () => {
    const { clock, runs, plan, scheduler } = setUp()
    scheduler.now()
    await clock.advance(500)
    plan.delayMs = 1000
    scheduler.replan()
    await clock.advance(600)
    expect(runs).toEqual([0, 1100])
  })

  it('runs again after the delay, as often as it is not closed', async () => {
    const { clock, runs, plan, scheduler } = setUp()
    plan.delayMs = 1000
    scheduler.now()
    await clock.advance(2300)
    expect(runs).toEqual([0, 1100, 2200])
  })

  it('plans nothing during a run, and one run however often it is asked to plan', async () => {
    const { clock, runs, plan, scheduler } = setUp()
    scheduler.now()
    plan.delayMs = 50
    scheduler.replan()
    await clock.advance(120)
    scheduler.replan()
    expect(clock.pending).toBe(1)
    await clock.advance(100)
    expect(runs).toEqual([0, 150])
  })

  it('does not run once more when its planned time falls into a run', async () => {
    const { clock, runs, plan, scheduler } = setUp()
    scheduler.now()
    await clock.advance(100)
    plan.delayMs = 50
    scheduler.replan()
    scheduler.now()
    plan.delayMs = null
    await clock.advance(1000)
    expect(runs).toEqual([0, 100])
  })

  it('runs no more once it is closed between two runs', async () => {
    const { clock, runs, plan, scheduler } = setUp()
    plan.delayMs = 1000
    scheduler.now()
    await clock.advance(500)
    scheduler.close()
    scheduler.now()
    scheduler.replan()
    expect(clock.pending).toBe(0)
    expect(runs).toEqual([0])
  })

  it('runs at once, and then for all requests of the least gap once at its end', async () => {
    const { clock, runs, scheduler } = setUp({ minGapMs: 1000 })
    scheduler.now()
    await clock.advance(50)
    scheduler.now()
    await clock.advance(450)
    scheduler.now()
    await clock.advance(5000)
    expect(runs).toEqual([0, 1000])
    scheduler.now()
    expect(runs).toEqual([0, 1000, 5500])
  })

  it('waits no longer after the clock was set back', async () => {
    const { clock, runs, plan, scheduler } = setUp({ minGapMs: 1000 })
    scheduler.now()
    await clock.advance(500)
    clock.setOnMs = -3_600_000
    scheduler.now()
    await clock.advance(1000)
    expect(runs).toHaveLength(2)
    plan.delayMs = 3000
    clock.setOnMs *= 2
    scheduler.replan()
    await clock.advance(0)
    expect(runs).toHaveLength(3)
  })

  it('stops after the present run once closed', async () => {
    const { clock, runs, plan, scheduler } = setUp()
    plan.delayMs = 10
    scheduler.now()
    scheduler.now()
    scheduler.close()
    scheduler.now()
    await clock.advance(1000)
    expect(runs).toEqual([0])
    expect(clock.pending).toBe(0)
  })
})
