import { parseArgs } from 'node:util'

/** What k6 is told (`-e NAME=value`), and how many pairs it needs. */
export interface Plan {
  pairs: number
  settings: Readonly<Record<string, number>>
}

export const scenarioNames = [
  ...(['smoke', 'ladder', 'send', 'history', 'unlock-storm', 'login-storm'] as const),
  ...(['idle-sockets', 'reconnect-storm', 'soak'] as const),
]
export type ScenarioName = (typeof scenarioNames)[number]

/** In full, and small: for trying out whether it works at all. */
const plans: Record<ScenarioName, { full: Plan; small: Plan }> = {
  smoke: { full: { pairs: 1, settings: {} }, small: { pairs: 1, settings: {} } },
  ladder: { full: { pairs: 100, settings: { SECONDS: 20 } }, small: { pairs: 5, settings: { SECONDS: 5 } } },
  send: {
    full: { pairs: 50, settings: { RATE: 200, SECONDS: 30 } },
    small: { pairs: 5, settings: { RATE: 20, SECONDS: 5 } },
  },
  history: {
    full: { pairs: 10, settings: { RATE: 100, SECONDS: 20, DEPTH: 2000 } },
    small: { pairs: 2, settings: { RATE: 10, SECONDS: 5, DEPTH: 200 } },
  },
  'unlock-storm': { full: { pairs: 50, settings: {} }, small: { pairs: 5, settings: {} } },
  'login-storm': { full: { pairs: 50, settings: {} }, small: { pairs: 5, settings: {} } },
  'idle-sockets': {
    full: { pairs: 50, settings: { SOCKETS: 1000, SECONDS: 60 } },
    small: { pairs: 5, settings: { SOCKETS: 60, SECONDS: 15 } },
  },
  'reconnect-storm': {
    full: { pairs: 50, settings: { RATE: 50, SECONDS: 40 } },
    small: { pairs: 5, settings: { RATE: 20, SECONDS: 20 } },
  },
  soak: {
    full: { pairs: 50, settings: { RATE: 50, SECONDS: 1800 } },
    small: { pairs: 5, settings: { RATE: 20, SECONDS: 20 } },
  },
}

/** Sends per second of each step of the ladder. */
export const ladderRates = {
  full: [100, 200, 300, 500, 750, 1000, 1250, 1500, 1750, 2000],
  small: [20, 50],
} as const

export interface LoadOptions {
  scenario: ScenarioName
  /** The started product when absent. */
  gateway: string | undefined
  small: boolean
  plan: Plan
  data: string | undefined
}

const usage = `npm run load -- <scenario> [--gateway URL] [--small]; scenarios: ${scenarioNames.join(', ')}`

/** Reads the command line; throws a sentence that says how it goes. */
export function readLoadOptions(args: string[]): LoadOptions {
  const text = { type: 'string' } as const
  const { values, positionals } = parsed(() =>
    parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...{ gateway: text, data: text, pairs: text, rate: text, seconds: text },
        small: { type: 'boolean', default: false },
      },
    }),
  )
  const [scenario, ...more] = positionals
  if (scenario === undefined) throw new Error(`Which scenario? ${usage}`)
  if (!isScenario(scenario)) throw new Error(`There is no scenario ${scenario}. ${usage}`)
  if (more.length > 0) throw new Error(`One scenario at a time, not also ${more.join(' ')}. ${usage}`)
  const { pairs, settings } = plans[scenario][values.small ? 'small' : 'full']
  const changed = {
    ...(values.rate === undefined ? {} : { RATE: wholeNumber('--rate', values.rate) }),
    ...(values.seconds === undefined ? {} : { SECONDS: wholeNumber('--seconds', values.seconds) }),
  }
  for (const name of Object.keys(changed)) {
    if (!(name in settings))
      throw new Error(
        `${scenario} knows no --${name.toLowerCase()}. load/README.md says what each scenario takes.`,
      )
  }
  return {
    scenario,
    gateway: values.gateway === undefined ? undefined : originOf(values.gateway),
    small: values.small,
    data: values.data,
    plan: {
      pairs: values.pairs === undefined ? pairs : wholeNumber('--pairs', values.pairs),
      settings: { ...settings, ...changed },
    },
  }
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new Error(`${(error as Error).message}. ${usage}`, { cause: error })
  }
}

const isScenario = (name: string): name is ScenarioName => scenarioNames.some((known) => known === name)

function wholeNumber(option: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`${option} wants a whole number, not ${text}.`)
  return number
}

function originOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new Error(`--gateway wants an address like http://127.0.0.1:4000, not ${text}.`)
  return url.origin
}
