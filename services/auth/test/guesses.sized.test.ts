import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { Client } from '@sumlock/deployment/api-client'
import { sized } from '@sumlock/testing/config'
import { withDatabase } from '@sumlock/testing/database'
import { freshPhone } from '@sumlock/testing/fresh-phone'
import { registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'

/** Every answer is a refusal: wrong (403), or too many at once (429). */
function expectAllRefused(answers: readonly { status: number }[]): void {
  const statuses = [...new Set(answers.map(({ status }) => status))]
  expect(statuses.filter((status) => ![403, 429].includes(status))).toEqual([])
}

const guesses = sized({ small: 100, full: 1000 })

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const stored = (collection: string, filter: object) =>
  withDatabase(stack, 'auth', (database) => database.collection(collection).findOne(filter))

it(`refuses the right phone code after ${guesses} wrong ones at once, and compares no more than five`, async () => {
  const phone = freshPhone()
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
  // All guesses use one token, because a new one would replace the previous one.
  client.keptToken = await client.csrfToken()
  const wrongCode = (offset: number) => String((Number(demoCode) + 1 + offset) % 1_000_000).padStart(6, '0')
  const tries = Array.from({ length: guesses }, (_, index) =>
    client.call(auth.verifyPhoneCode, { body: { code: wrongCode(index) } }),
  )
  expectAllRefused(await Promise.all(tries))
  expect(await client.call(auth.verifyPhoneCode, { body: { code: demoCode } })).toMatchObject({ status: 403 })
  expect((await stored('phone_verifications', { phone }))?.['guesses']).toBe(5)
})

describe('a PIN', () => {
  const wrongPins = Array.from({ length: guesses }, (_, index) => String(50_000 + index * 7))

  async function personWithPin(): Promise<Person> {
    const person = await registerPerson(stack, { pin: '24680' })
    await person.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: person.pin } })
    person.client.keptToken = await person.client.csrfToken()
    return person
  }
  const tryPin = ({ client }: Person, numericPassword: string) =>
    client.call(lockRoutes.verifyNumericPassword, { body: { numericPassword } })

  it(`is compared no faster than the pace in ${guesses} wrong tries at once, and accepted afterwards`, async () => {
    const person = await personWithPin()
    const startedAt = performance.now()
    expectAllRefused(await Promise.all(wrongPins.map((pin) => tryPin(person, pin))))
    const tookSeconds = (performance.now() - startedAt) / 1000
    const budget = await stored('unlock_budgets', { _id: person.user.id })
    const counted = budget?.['explicit'] as number
    expect(counted).toBeGreaterThan(0)
    expect(counted).toBeLessThanOrEqual(1 + Math.ceil(tookSeconds))
    expect(await tryPin(person, person.pin)).toMatchObject({ status: 200, body: { wrongEntries: counted } })
  })

  it(`lets other people sign in while a session makes ${guesses} PIN tries at once`, async () => {
    const person = await personWithPin()
    const others = await Promise.all([1, 2, 3, 4].map(() => registerPerson(stack)))
    const flood = Promise.all(wrongPins.map((pin) => tryPin(person, pin)))
    const signIns = others.map(({ client, username, password }) =>
      client.call(auth.login, { body: { username, password } }),
    )
    expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual(others.map(() => 200))
    await flood
  })
})
