import { partsOf, runParts, tiers } from './suites.ts'
import type { Suite } from './suites.ts'

describe('the suites', () => {
  it('have limits far below the 84 minutes of .ci/run, so that a suite that hangs does not take the time of all others', () => {
    for (const { limitMinutes } of [...tiers.test, ...tiers.full].flat())
      expect(limitMinutes).toBeLessThanOrEqual(30)
  })

  it('give a suite that runs at low priority beside others at least a quarter of an hour', () => {
    const beside = [...tiers.test, ...tiers.full].flat().filter((suite) => suite.beside)
    expect(beside.map(({ name }) => name)).toContain('lint')
    for (const { limitMinutes } of beside) expect(limitMinutes).toBeGreaterThanOrEqual(15)
  })

  it('are found by name in every tier', () => {
    const [part = []] = partsOf('test', ['full', 'guards'])
    expect(part.map(({ name }) => name)).toEqual(['full', 'guards'])
  })
})

describe('runParts', () => {
  const suite = (name: string, options: Partial<Suite> = {}): Suite => ({
    name,
    title: name,
    command: [],
    limitMinutes: 1,
    ...options,
  })
  /** Runs parts in which the named suites fail; resolves to the starts and ends, in order. */
  async function traceOf(parts: Suite[][], failing: string[] = []): Promise<string[]> {
    const trace: string[] = []
    let endBeside: () => void = () => undefined
    const untilTheNextEnds = new Promise<void>((resolve) => (endBeside = resolve))
    await runParts(parts, async ({ name, beside }) => {
      trace.push(`${name} starts`)
      if (beside) await untilTheNextEnds.then(() => new Promise((resolve) => setImmediate(resolve)))
      else endBeside()
      trace.push(`${name} ends`)
      return { code: failing.includes(name) ? 1 : 0 }
    })
    return trace
  }

  it('stops after the first part with a failure', async () => {
    const parts = [[suite('unit'), suite('e2e')], [suite('full')]]
    expect(await traceOf(parts, ['unit'])).toEqual(['unit starts', 'unit ends', 'e2e starts', 'e2e ends'])
    expect(await traceOf(parts)).toContain('full ends')
  })

  it('runs the checks beside the suites after them, and waits for them before the last suite', async () => {
    const part = [suite('check', { beside: true }), suite('integration'), suite('coverage', { last: true })]
    const trace = await traceOf([part])
    expect(trace.slice(0, 2)).toEqual(['check starts', 'integration starts'])
    expect(trace.slice(-2)).toEqual(['coverage starts', 'coverage ends'])
    expect(trace.indexOf('check ends')).toBeLessThan(trace.indexOf('coverage starts'))
  })

  it('leaves out the last suite after a failure, one beside it included', async () => {
    const part = [suite('check', { beside: true }), suite('unit'), suite('coverage', { last: true })]
    expect(await traceOf([part], ['check'])).not.toContain('coverage starts')
  })
})
