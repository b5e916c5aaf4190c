import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { readLoadOptions, scripts } from './options.ts'

describe('the command line of a load test', () => {
  it('takes the started product when no gateway is named', () => {
    expect(readLoadOptions(['send'])).toEqual({
      scenario: 'send',
      script: 'send.js',
      gateway: undefined,
      isSmall: false,
      pairs: 50,
      settings: { RATE: 200, SECONDS: 30 },
    })
  })

  it('can be small, name a gateway and change rate, length and pairs', () => {
    const words = 'soak --small --gateway https://a.example/ --seconds 90 --rate 7 --pairs 3'
    expect(readLoadOptions(words.split(' '))).toMatchObject({
      isSmall: true,
      gateway: 'https://a.example',
      pairs: 3,
      settings: { RATE: 7, SECONDS: 90, KEEP_UNLOCKED: 1 },
    })
  })

  it.each([
    [[], 'Name one scenario. npm run load -- <scenario>'],
    [['sand'], 'Name one scenario.'],
    [['send', 'soak'], 'Name one scenario.'],
    [['send', '--rate', '1.5'], '1.5 is not a whole number'],
    [['ladder', '--rate', '5'], 'ladder takes no --rate.'],
  ])('explains what is wrong with %j', (args, sentence) => {
    expect(() => readLoadOptions(args)).toThrow(sentence)
  })

  it('names only scripts that exist', () => {
    expect(scripts.filter((script) => !existsSync(join(repoRoot, 'load', script)))).toEqual([])
  })
})
