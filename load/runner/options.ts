import { parseArgs } from 'node:util'

interface Plan {
  pairs: number
  /** Environment of the k6 script (`-e NAME=value`). */
  settings: Readonly<Record<string, number>>
}

/** Each scenario at its full size, and small enough to try it out. */
const scenarios = {
  ladder: {
    script: 'send.js',
    full: { pairs: 100, settings: { TOKEN_AT_HAND: 1, SECONDS: 20 } },
    small: { pairs: 5, settings: { TOKEN_AT_HAND: 1, SECONDS: 5 } },
  },
  send: {
    script: 'send.js',
    full: { pairs: 50, settings: { RATE: 200, SECONDS: 30 } },
    small: { pairs: 5, settings: { RATE: 20, SECONDS: 5 } },
  },
  'reconnect-storm': {
    script: 'send.js',
    full: { pairs: 50, settings: { RATE: 50, SECONDS: 40, DROP_EVERY_SECONDS: 10 } },
    small: { pairs: 5, settings: { RATE: 20, SECONDS: 20, DROP_EVERY_SECONDS: 10 } },
  },
  soak: {
    script: 'send.js',
    full: { pairs: 50, settings: { RATE: 50, SECONDS: 1800, KEEP_UNLOCKED: 1 } },
    small: { pairs: 5, settings: { RATE: 20, SECONDS: 20, KEEP_UNLOCKED: 1 } },
  },
  history: {
    script: 'history.js',
    full: { pairs: 10, settings: { RATE: 100, SECONDS: 20, DEPTH: 2000 } },
    small: { pairs: 2, settings: { RATE: 10, SECONDS: 5, DEPTH: 200 } },
  },
  'unlock-storm': {
    script: 'unlock-storm.js',
    full: { pairs: 50, settings: {} },
    small: { pairs: 5, settings: {} },
  },
  'login-storm': {
    script: 'login-storm.js',
    full: { pairs: 50, settings: {} },
    small: { pairs: 5, settings: {} },
  },
} satisfies Record<string, { script: string; full: Plan; small: Plan }>

export const scenarioNames = Object.keys(scenarios)
export const scripts = Object.values(scenarios).map(({ script }) => script)

export interface LoadOptions extends Plan {
  scenario: string
  script: string
  /** The started product when absent. */
  gateway: string | undefined
  isSmall: boolean
}

const usage = `npm run load -- <scenario> [--gateway URL] [--small] [--pairs N] [--rate N] [--seconds N]; scenarios: ${scenarioNames.join(', ')}`

/** Reads the command line. Throws a sentence for a person when it is wrong. */
export function readLoadOptions(args: string[]): LoadOptions {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      gateway: text,
      pairs: text,
      rate: text,
      seconds: text,
      small: { type: 'boolean', default: false },
    },
  })
  const [scenario = '', ...more] = positionals
  if (!isScenario(scenario) || more.length > 0) throw new Error(`Name one scenario. ${usage}`)
  const { script, full, small } = scenarios[scenario]
  const plan: Plan = values.small ? small : full
  const settings = { ...plan.settings }
  for (const name of ['rate', 'seconds'] as const) {
    if (values[name] === undefined) continue
    if (!(name.toUpperCase() in settings)) throw new Error(`${scenario} takes no --${name}. ${usage}`)
    settings[name.toUpperCase()] = wholeNumber(values[name])
  }
  return {
    scenario,
    script,
    gateway: values.gateway?.replace(/\/$/, ''),
    isSmall: values.small,
    pairs: values.pairs === undefined ? plan.pairs : wholeNumber(values.pairs),
    settings,
  }
}

const isScenario = (name: string): name is keyof typeof scenarios => Object.hasOwn(scenarios, name)

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${text} is not a whole number above 0. ${usage}`)
  return Number(text)
}
