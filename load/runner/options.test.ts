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
      settings: { RATE: 200, SECONDS: 30 },
    })
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
  ])('explains the mistake in %j', (args, sentence) => {
    expect(() => readLoadOptions(args)).toThrow(sentence)
  })

  it('has a script for every scenario', () => {
    const scripts = Object.values(scenarios).map(({ script }) => script)
    expect(scripts.filter((script) => !existsSync(join(repoRoot, 'load', script)))).toEqual([])
  })
})
