import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { readLoadOptions, scenarioNames } from './options.ts'

describe('the command line of a load test', () => {
  it('names a scenario, and takes the started product when no gateway is named', () => {
    expect(readLoadOptions(['send'])).toEqual({
      ...{ scenario: 'send', gateway: undefined, small: false, data: undefined },
      plan: { pairs: 50, settings: { RATE: 200, SECONDS: 30 } },
    })
  })

  it('can be small, or go elsewhere, or last longer', () => {
    const options = readLoadOptions(['soak', '--small', '--gateway', 'https://a.example/', '--seconds', '90'])
    expect(options).toMatchObject({ small: true, gateway: 'https://a.example' })
    expect(options.plan).toEqual({ pairs: 5, settings: { RATE: 20, SECONDS: 90 } })
    expect(readLoadOptions(['smoke', '--pairs', '3']).plan.pairs).toBe(3)
  })

  it.each([
    [[], 'Which scenario? npm run load -- <scenario>'],
    [['smok'], 'There is no scenario smok. npm run load --'],
    [['smoke', 'ladder'], 'not also ladder'],
    [['smoke', '--gatway', 'x'], "Unknown option '--gatway'"],
    [['smoke', '--gateway', 'localhost:4000'], '--gateway wants an address like http://127.0.0.1:4000'],
    [['smoke', '--gateway', 'http://a/b'], '--gateway wants an address'],
    [['send', '--rate', '1.5'], '--rate wants a whole number, not 1.5.'],
    [['smoke', '--rate', '5'], 'smoke knows no --rate.'],
    [['ladder', '--rate', '5'], 'ladder knows no --rate.'],
  ])('says what is wrong with %j', (args, sentence) => {
    expect(() => readLoadOptions(args)).toThrow(sentence)
  })

  it('knows no scenario without a script', () => {
    for (const name of scenarioNames) expect(existsSync(join(repoRoot, 'load', `${name}.js`))).toBe(true)
  })
})
