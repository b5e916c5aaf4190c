import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { readLoadOptions, scenarios } from './options.ts'

describe('the command line of a load test', () => {
  it('uses the started product when it names no gateway', () => {
    expect(readLoadOptions(['send'])).toEqual({
      name: 'send',
      script: 'send.ts',
      gateway: undefined,
      pairs: 50,
      settings: { RATE: 200, SECONDS: 30, LENGTH: 13 },
      rates: undefined,
    })
  })

  it('can say that messages are sealed, which makes them 384 characters long', () => {
    const settings = { ...scenarios['send']?.settings, LENGTH: 384, SEALED: 1 }
    expect(readLoadOptions(['send', '--sealed']).settings).toEqual(settings)
  })

  it('can say how long messages are, sealed or not', () => {
    expect(readLoadOptions(['send', '--length', '500']).settings).toMatchObject({ LENGTH: 500 })
    expect(readLoadOptions(['send', '--length', '500', '--sealed']).settings).toMatchObject({
      LENGTH: 500,
      SEALED: 1,
    })
  })

  it('can name the steps of the ladder', () => {
    expect(readLoadOptions(['ladder', '--rates', '100,500']).rates).toEqual([100, 500])
  })

  it('can name a gateway and change rate, length and pairs', () => {
    const words = 'reconnect-storm --gateway https://a.example/ --seconds 90 --rate 7 --pairs 3'
    expect(readLoadOptions(words.split(' '))).toMatchObject({
      gateway: 'https://a.example',
      pairs: 3,
      settings: { RATE: 7, SECONDS: 90, DROP_SOCKETS: 1 },
    })
  })

  it.each([
    [[], 'Name one scenario. npm run load -- <scenario>'],
    [['sand'], 'Name one scenario.'],
    [['send', 'soak'], 'Name one scenario.'],
    [['send', '--rate', '1.5'], '1.5 is not a whole number'],
    [['ladder', '--rate', '5'], 'ladder takes no --rate.'],
    [['ladder', '--rates', '100;200'], '100;200 is not a whole number'],
    [['send', '--rates', '100,200'], 'send takes no --rates.'],
  ])('explains the mistake in %j', (args, sentence) => {
    expect(() => readLoadOptions(args)).toThrow(sentence)
  })

  it('has a script for every scenario', () => {
    const scripts = Object.values(scenarios).map(({ script }) => script)
    expect(scripts.filter((script) => !existsSync(join(repoRoot, 'load', script)))).toEqual([])
  })
})
