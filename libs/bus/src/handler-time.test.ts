import { createHandlerTime } from './handler-time.ts'

let now = 0
beforeEach(() => {
  now = 1000
})
const gate = () => Promise.withResolvers<void>()

describe('the time of handlers', () => {
  it('counts as idle only while no handler runs', async () => {
    const time = createHandlerTime(() => now)
    const before = time.idleMs()
    const { promise, resolve } = gate()
    const handled = time.measure(() => promise)
    now += 300
    expect(time.idleMs() - before).toBe(0)
    expect(time.runningMs()).toBe(300)
    resolve()
    await handled
    now += 20
    expect(time.idleMs() - before).toBe(20)
    expect(time.runningMs()).toBe(0)
  })

  it('is counted once where two handlers overlap, and from the start of the older one', async () => {
    const time = createHandlerTime(() => now)
    const before = time.idleMs()
    const [old, young] = [gate(), gate()]
    const handled = [time.measure(() => old.promise)]
    now += 100
    handled.push(time.measure(() => young.promise))
    now += 100
    expect(time.runningMs()).toBe(200)
    old.resolve()
    await handled[0]
    expect(time.runningMs()).toBe(100)
    now += 100
    young.resolve()
    await handled[1]
    expect(time.idleMs() - before).toBe(0)
  })

  it('ends with a handler that fails', async () => {
    const time = createHandlerTime(() => now)
    await expect(time.measure(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(time.runningMs()).toBe(0)
  })
})
