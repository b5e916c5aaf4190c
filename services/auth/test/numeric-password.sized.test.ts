import * as auth from '@sumlock/contracts/auth-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/stack/services'
import { sized } from '@sumlock/testing/config'
import { withDatabase } from '@sumlock/testing/database'
import { expectAllRefused } from '@sumlock/testing/refusals'
import { startTestStack } from '@sumlock/testing/engines'
import { registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({ replicas: { auth: 2 } })
})
afterAll(() => stack.stop())

const guesses = sized({ small: 100, full: 1000 })
type Try = { intent?: 'unlock' | 'probe'; entry?: 'password-mode' | 'digits' }

async function somebody(pin = '24680'): Promise<Person> {
  const person = await registerPerson(stack, { pin })
  await person.client.ok(auth.setupNumericPassword, { body: { numericPassword: pin } })
  person.client.keptToken = await person.client.csrfToken()
  return person
}
const tryPin = ({ client }: Person, numericPassword: string, how: Try = {}) =>
  client.call(auth.verifyNumericPassword, { body: { numericPassword, ...how } })
const stored = ({ user }: Person) =>
  withDatabase(stack, 'auth', (database) => database.collection('users').findOne({ _id: user.id as never }))
const wrongPins = Array.from({ length: guesses }, (_, index) => String(50_000 + index * 7))

it('of set-ups at once one wins, and afterwards nobody sets it again', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => registerPerson(stack)))
  for (const { client } of people) client.keptToken = await client.csrfToken()
  const setUp = ({ client }: Person, numericPassword: string) =>
    client.call(auth.setupNumericPassword, { body: { numericPassword } })
  const numbers = ['1111', '2222', '3333', '4444', '5555', '6666']
  const answers = people.map((person) => Promise.all(numbers.map((number) => setUp(person, number))))
  for (const statuses of await Promise.all(answers))
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, ...numbers.slice(1).map(() => 409)])
  const [first] = people as [Person]
  expect(await setUp(first, '3333')).toMatchObject({ status: 409, body: { code: 'pin_already_set' } })
})

it('PROD-06: unlocks with the right number, and leading zeros count', async () => {
  const person = await somebody('0042')
  expect(await tryPin(person, '42')).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
  expect(await tryPin(person, '0042')).toMatchObject({ status: 200 })
  expect(await person.client.call(listConversations)).toMatchObject({ status: 200 })
})

it('a probe tells right from wrong, hints at the third right one, then is silent for ever; it unlocks nothing', async () => {
  const person = await somebody()
  const probe = (pin: string) => tryPin(person, pin, { intent: 'probe' })
  expect(await probe('99999')).toMatchObject({ status: 403 })
  expect((await probe('24680')).body).toEqual({ hint: false })
  expect((await probe('24680')).body).toEqual({ hint: false })
  expect((await probe('24680')).body).toEqual({ hint: true })
  expect(await probe('24680')).toMatchObject({ status: 403 })
  expect(await person.client.ok(auth.getUser)).toMatchObject({ silentCheck: false, unlockedUntil: null })
  expect(await person.client.call(listConversations)).toMatchObject({ status: 423 })
})

it('of ten right probes at once three are told so, and one of them is the hint', async () => {
  const person = await somebody()
  person.client.keptToken = await person.client.csrfToken()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => tryPin(person, '24680', { intent: 'probe' })),
  )
  const told = answers
    .filter(({ status }) => status === 200)
    .map(({ body }) => (body as { hint: boolean }).hint)
  expect(told.sort()).toEqual([false, false, true])
})

it(`after ${guesses} explicit wrong tries at once the right number is refused, and ten were counted`, async () => {
  const person = await somebody()
  const answers = await Promise.all(wrongPins.map((pin) => tryPin(person, pin)))
  expectAllRefused(answers)
  const whilePaused = await tryPin(person, person.pin)
  expect(whilePaused).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
  expect(await stored(person)).toMatchObject({ explicitFailures: 10 })
  expect((await person.client.ok(auth.getUser)).unlockPausedUntil).not.toBeNull()
  // Wrong and paused look alike, down to the names of the headers.
  const first = answers.find(({ status }) => status === 403)
  expect(Object.keys(whilePaused.body)).toEqual(Object.keys(first?.body ?? {}))
  expect([...whilePaused.headers.keys()].sort()).toEqual([...(first?.headers.keys() ?? [])].sort())
})

it('the hundredth wrong number in password mode ends the session, the ninety-ninth does not', async () => {
  const person = await somebody()
  const failedBefore = (explicitFailures: number) =>
    withDatabase(stack, 'auth', (database) =>
      database
        .collection('users')
        .updateOne({ _id: person.user.id as never }, { $set: { explicitFailures, pausedUntil: null } }),
    )
  await failedBefore(98)
  expect(await tryPin(person, '99999')).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
  expect(await person.client.call(auth.getUser)).toMatchObject({ status: 200 })
  await failedBefore(99)
  expect(await tryPin(person, '99999')).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
  expect(await person.client.call(auth.getUser)).toMatchObject({ status: 401 })
})

it(`after ${guesses} silent wrong tries at once the right number is refused silently, and sixty were counted`, async () => {
  const person = await somebody()
  expectAllRefused(await Promise.all(wrongPins.map((pin) => tryPin(person, pin, { intent: 'probe' }))))
  expect(await tryPin(person, person.pin, { entry: 'digits' })).toMatchObject({ status: 403 })
  expect(await stored(person)).toMatchObject({ softFailures: 60 })
  // The explicit way has its own budget: somebody who knows the number is never locked out by typing sums.
  expect(await tryPin(person, person.pin)).toMatchObject({ status: 200 })
})

it('a chain of longer and longer entries costs one silent failure', async () => {
  const person = await somebody('987654')
  for (const pin of ['1357', '13579', '135791', '1357913']) await tryPin(person, pin, { intent: 'probe' })
  expect(await stored(person)).toMatchObject({ softFailures: 1 })
  await tryPin(person, '8642', { intent: 'probe' })
  expect(await stored(person)).toMatchObject({ softFailures: 2 })
})
