import { setTimeout as wait } from 'node:timers/promises'
import { Client } from '@sumlock/deployment/api-client'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { makePremium, signInAgain, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { pairOf } from '../../steps/crowd.ts'
import type { Pair } from '../../steps/crowd.ts'
import { requireBoth, sendBoth } from '../../steps/messages.ts'
import type { SentImage } from '../../steps/messages.ts'
import { figuresOf, refusedNever, underLoad } from '../../steps/under-load.ts'
import type { Act } from '../acts.ts'

// Runs in the cluster, outside the namespace of the product, and reaches it by its public address alone. The first argument
// names an act, the second one is what the act gets (JSON). Prints what the act returns (JSON).
const setting = (name: string) => process.env[name] ?? ''
const edge = { gatewayUrl: setting('PUBLIC_ORIGIN') }
const loadMs = 20_000

async function readCode(phone: string): Promise<string> {
  const account = setting('TWILIO_ACCOUNT_SID')
  const credentials = `${setting('TWILIO_API_KEY')}:${setting('TWILIO_API_SECRET')}`
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  const url = `https://api.twilio.com/2010-04-01/Accounts/${account}/Messages.json?To=${encodeURIComponent(phone)}`
  return waitUntil(`an SMS to ${phone}`, async () => {
    const { messages } = (await (await fetch(url, { headers })).json()) as { messages: { body: string }[] }
    return /\b(\d{6})\b/.exec(messages.at(-1)?.body ?? '')?.[1]
  })
}

const register = () => unlockedPerson(edge, { readCode })
const withoutPremium = { newPerson: register, givePremium: () => Promise.resolve() }

/** Returns a person of an earlier act with a new client, which is not signed in. */
const again = (person: Person): Person => ({ ...person, client: new Client(edge) })

interface Letter {
  to: string[]
  secure: boolean
}

const readLetters = async () => (await (await fetch(setting('LETTERS_URL'))).json()) as Letter[]

async function requireSecureLetter({ user }: Person): Promise<void> {
  const letter = await waitUntil(
    `a letter to ${user.email}`,
    async () => (await readLetters()).find(({ to }) => to.includes(user.email)),
    { timeoutMs: 90_000 },
  )
  if (!letter.secure) throw new Error('The letter came without TLS.')
}

const acts: Record<Act, (given: never) => Promise<object>> = {
  async exchange() {
    const pair = await pairOf(withoutPremium)
    await requireSecureLetter(pair.people[0])
    const sent = await sendBoth(pair)
    await requireBoth(pair, sent)
    return { 'message on the socket after (ms)': sent.toSocketMs, 'images read back': 1 }
  },
  register,
  async load(administrator: Person) {
    const admin = again(administrator)
    await signInAgain(admin)
    const givePremium = (buyer: Person) => makePremium(admin, buyer)
    const result = await underLoad({ newPerson: register, givePremium }, () => wait(loadMs))
    refusedNever(result)
    return figuresOf(result)
  },
  letters: readLetters,
  async requireLetter(person: Person) {
    await requireSecureLetter(person)
    return {}
  },
  async write() {
    const pair = await pairOf(withoutPremium)
    return { pair, image: await sendBoth(pair) }
  },
  async read({ pair, image }: { pair: Pair; image: SentImage }) {
    const [reader, other] = pair.people
    await requireBoth({ ...pair, people: [again(reader), again(other)] }, image)
    return {}
  },
}

async function main(): Promise<void> {
  const [, , act = '', given = '{}'] = process.argv
  const result = await acts[act as Act](JSON.parse(given) as never)
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0))
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`)
  process.exit(1)
})
