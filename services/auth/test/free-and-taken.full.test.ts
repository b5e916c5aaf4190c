import { randomUUID } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { manyTurns } from '@sumlock/testing/config'
import { writeDueMails } from '../src/use-cases/write-due-mails.ts'
import { toldApart } from './tell-apart.ts'
import type { Sample } from './tell-apart.ts'
import { openWatchedAuth } from './watched-auth.ts'
import type { Watched } from './watched-auth.ts'

const each = manyTurns

let auth: Awaited<ReturnType<typeof openWatchedAuth>>
beforeAll(async () => {
  auth = await openWatchedAuth()
})
afterAll(() => auth?.close())

const newAddress = () => `${randomUUID()}@example.com`

/** Addresses that accounts have proven. */
async function takenAddresses(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => {
    const [_id, emailKey] = [randomUUID(), newAddress()]
    const keys = { usernameKey: _id, userCode: _id, emailKey }
    return { _id, ...keys, email: emailKey, fullName: 'Ann', isEmailVerified: true, createdAt: new Date() }
  })
  await auth.ctx.connection.collection('users').insertMany(rows as never)
  return rows.map(({ emailKey }) => emailKey)
}

/**
 * An account may change its address five times an hour; further requests store nothing. Its token is valid for a
 * minute.
 */
function changes() {
  let made = 0
  let caller = ''
  return async (email: string) => {
    if (made++ % limits.mailsPerHour === 0) caller = await auth.signedIn()
    return auth.change(caller, email)
  }
}

const acts: Record<string, () => (email: string) => Promise<Watched>> = {
  'a registration': () => auth.register,
  'a change of the address': changes,
  'a request to reset the password': () => auth.askForReset,
}

it.each(Object.entries(acts))(
  `${each} times in turn, %s has equal answers and equal database commands for a free address and for a taken one`,
  async (_name, prepare) => {
    const act = prepare()
    const seen = { free: new Set<string>(), taken: new Set<string>() }
    for (const email of await takenAddresses(each))
      for (const [kind, address] of [['free', newAddress()] as const, ['taken', email] as const]) {
        const { status, answer, commands } = await act(address)
        expect(status).toBeLessThan(300)
        expect(commands.length).toBeGreaterThan(1)
        seen[kind].add(JSON.stringify({ status, answer, commands }))
        await auth.ctx.background.settled()
      }
    expect([...seen.taken].sort()).toEqual([...seen.free].sort())
  },
  600_000,
)

it('asks for one letter to the owner of each taken address, and for a link to each free one', async () => {
  await writeDueMails(auth.ctx)
  const { connection } = auth.ctx
  expect(await connection.collection('mail_requests').countDocuments()).toBe(0)
  const told = await connection.collection('phone_code_limits').countDocuments({ toldBy: { $exists: true } })
  expect(told).toBe(2 * each)
  const linksOf = (kind: string) =>
    connection.collection('mail_links').countDocuments({ _id: { $regex: `^${kind}:` } as never })
  expect(await linksOf('reset-password')).toBe(each)
})

it('the classifier separates times that differ', () => {
  const sample = (isTaken: boolean, ms: number): Sample => ({ isTaken, ms })
  const different = Array.from({ length: 400 }, (_, index) =>
    sample(index % 2 === 0, (index % 2) + index / 1000),
  )
  expect(toldApart(different)).toBeGreaterThan(0.9)
})

// The times are for people to read; a busy machine must not fail the test.
it.each(Object.entries(acts))(
  `${each} times each in random order, the times of %s are measured and a classifier is tuned on them`,
  async (name, prepare) => {
    const act = prepare()
    const own: Sample[] = []
    const next: Sample[] = []
    const taken = await takenAddresses(each)
    const order = [
      ...taken.map((email) => [true, email] as const),
      ...taken.map(() => [false, newAddress()] as const),
    ]
      .map((one) => [Math.random(), ...one] as const)
      .sort(([a], [b]) => a - b)
    for (const [, isTaken, email] of order) {
      const { status, tookMs } = await act(email)
      expect(status).toBeLessThan(300)
      own.push({ isTaken, ms: tookMs })
      next.push({ isTaken, ms: (await auth.openLink()).tookMs })
    }
    const percent = (samples: Sample[]) => `${(toldApart(samples) * 100).toFixed(1)} %`
    process.stderr.write(
      `  ${name}: told apart by its time ${percent(own)}, by that of the next request ${percent(next)}\n`,
    )
    expect(own).toHaveLength(2 * each)
  },
  600_000,
)
