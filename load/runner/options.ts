import { parseArgs } from 'node:util'

interface Scenario {
  script: string
  pairs: number
  /**
   * The k6 script gets these settings as `-e NAME=value`. `LENGTH` is the length of a message. With `SEALED`, the
   * people get keys, which their messages name.
   */
  settings: Readonly<Record<string, number>>
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  ladder: { script: 'send.ts', pairs: 100, settings: { SECONDS: 20, TOKEN_AT_HAND: 1, LENGTH: 13 } },
  send: { script: 'send.ts', pairs: 50, settings: { RATE: 200, SECONDS: 30, LENGTH: 13 } },
  'reconnect-storm': { script: 'send.ts', pairs: 50, settings: { RATE: 50, SECONDS: 40, DROP_SOCKETS: 1 } },
  soak: { script: 'send.ts', pairs: 50, settings: { RATE: 50, SECONDS: 1800 } },
  history: { script: 'history.ts', pairs: 10, settings: { RATE: 100, SECONDS: 20 } },
  'unlock-storm': { script: 'storm.ts', pairs: 50, settings: {} },
  'login-storm': { script: 'storm.ts', pairs: 50, settings: { LOGIN: 1 } },
}

export interface LoadOptions extends Scenario {
  name: string
  /** Without a gateway, the load goes to the product that `npm start` has started. */
  gateway: string | undefined
  /** The ladder takes these steps, in sends per second, instead of its usual ones. */
  rates: readonly number[] | undefined
}

/** A short text has this many characters after it was sealed. */
const sealedLength = 384

const usage = `npm run load -- <scenario> [--gateway URL] [--pairs N] [--rate N] [--rates N,N…] [--seconds N] [--length N] [--sealed]; scenarios: ${Object.keys(scenarios).join(', ')}`

/** Reads the command line. Throws an error that tells the person what is wrong in it. */
export function readLoadOptions(args: string[]): LoadOptions {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      gateway: text,
      pairs: text,
      rate: text,
      rates: text,
      seconds: text,
      length: text,
      sealed: { type: 'boolean' },
    },
  })
  const [name = '', ...more] = positionals
  const scenario = scenarios[name]
  if (!scenario || more.length > 0) throw new Error(`Name one scenario. ${usage}`)
  const settings = { ...scenario.settings }
  if (values.sealed && scenario.script === 'send.ts')
    Object.assign(settings, { SEALED: 1, LENGTH: sealedLength })
  for (const option of ['rate', 'seconds', 'length'] as const) {
    const setting = option.toUpperCase()
    if (values[option] === undefined) continue
    if (!(setting in settings)) throw new Error(`${name} takes no --${option}. ${usage}`)
    settings[setting] = wholeNumber(values[option])
  }
  if (values.rates !== undefined && name !== 'ladder') throw new Error(`${name} takes no --rates. ${usage}`)
  const pairs = values.pairs === undefined ? scenario.pairs : wholeNumber(values.pairs)
  const rates = values.rates?.split(',').map(wholeNumber)
  return { ...scenario, name, gateway: values.gateway?.replace(/\/$/, ''), pairs, settings, rates }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${text} is not a whole number above 0. ${usage}`)
  return Number(text)
}
