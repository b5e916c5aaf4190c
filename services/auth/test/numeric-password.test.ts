import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { Client } from '@sumlock/deployment/api-client'
import { endPause } from './end-pause.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

type Try = { intent?: 'unlock' | 'probe'; entry?: 'password-mode' | 'digits' }

// The tests run in parallel, because some of them wait for seconds.

async function newPerson(pin = '24680'): Promise<Person> {
  const person = await registerPerson(stack, { pin })
  await person.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: pin } })
  person.client.keptToken = await person.client.csrfToken()
  return person
}
/** Another session of the same account, as a thief of the password or a cookie has it. */
async function elsewhere(person: Person): Promise<Person> {
  const client = new Client(stack)
  await client.ok(auth.login, { body: { username: person.username, password: person.password } })
  client.keptToken = await client.csrfToken()
  return { ...person, client }
}
const tryInTurn = ({ client }: Person, numericPassword: string, how: Try = {}) =>
  client.call(lockRoutes.verifyNumericPassword, { body: { numericPassword, ...how } })
/** Tries without leaving a pause to the next try. */
async function tryPin(...of: Parameters<typeof tryInTurn>): ReturnType<typeof tryInTurn> {
  const answer = await tryInTurn(...of)
  if (answer.status === 403) await endPause(stack, of[0])
  return answer
}
const inAuth = <T>(look: Parameters<typeof withDatabase<T>>[2]) => withDatabase(stack, 'auth', look)
const stored = ({ user }: Person) =>
  inAuth((database) => database.collection('unlock_budgets').findOne({ _id: user.id as never }))

/** Stores earlier tries: counts of the account, and of its one session that has tried already. */
async function triedBefore(
  person: Person,
  counts: { explicit?: number; soft?: number; softOfSession?: number },
) {
  await tryPin(person, '99999')
  const { explicit = 0, soft = 0, softOfSession = soft } = counts
  await inAuth(async (database) => {
    const budgets = database.collection('unlock_budgets')
    const row = await budgets.findOne({ _id: person.user.id as never })
    const [sessionId] = Object.keys((row as unknown as { sessions: object }).sessions)
    const session = `sessions.${sessionId}`
    await budgets.updateOne(
      { _id: person.user.id as never },
      {
        $set: {
          explicit,
          soft,
          wrongEntries: explicit,
          [`${session}.explicit`]: explicit,
          [`${session}.soft`]: softOfSession,
          [`${session}.recentWrong`]: [],
        },
      },
    )
  })
}

it.concurrent('sets the PIN once when it is set up several times at once, and never again', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => registerPerson(stack)))
  for (const { client } of people) client.keptToken = await client.csrfToken()
  const setUp = ({ client }: Person, numericPassword: string) =>
    client.call(lockRoutes.setupNumericPassword, { body: { numericPassword } })
  const numbers = ['1111', '2222', '3333', '4444', '5555', '6666']
  const answers = people.map((person) => Promise.all(numbers.map((number) => setUp(person, number))))
  for (const statuses of await Promise.all(answers))
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, ...numbers.slice(1).map(() => 409)])
  const [first] = people as [Person]
  expect(await setUp(first, '3333')).toMatchObject({ status: 409, body: { code: 'pin_already_set' } })
})

it.concurrent('PROD-06: unlocks with the right number, including its leading zeros', async () => {
  const person = await newPerson('0042')
  expect(await tryPin(person, '42')).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
  expect(await tryPin(person, '0042')).toMatchObject({ status: 200 })
  expect(await person.client.call(listConversations)).toMatchObject({ status: 200 })
})

it.concurrent(
  'a probe recognises the right number twice, hints the third time, then always refuses, and never unlocks',
  async () => {
    const person = await newPerson()
    const probe = (pin: string) => tryPin(person, pin, { intent: 'probe' })
    expect(await probe('99999')).toMatchObject({ status: 403 })
    expect((await probe('24680')).body).toEqual({ hint: false })
    expect((await probe('24680')).body).toEqual({ hint: false })
    expect((await probe('24680')).body).toEqual({ hint: true })
    expect(await probe('24680')).toMatchObject({ status: 403 })
    expect(await person.client.ok(auth.getUser)).toMatchObject({ silentCheck: false, unlockedUntil: null })
    expect(await person.client.call(listConversations)).toMatchObject({ status: 423 })
  },
)

it.concurrent('accepts three of ten right probes at once, and one of them with the hint', async () => {
  const person = await newPerson()
  person.client.keptToken = await person.client.csrfToken()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => tryPin(person, '24680', { intent: 'probe' })),
  )
  const told = answers
    .filter(({ status }) => status === 200)
    .map(({ body }) => (body as { hint: boolean }).hint)
  expect(told.sort()).toEqual([false, false, true])
})

it.concurrent(
  'changes the PIN of an unlocked session that enters the present one, and locks the others',
  async () => {
    const person = await newPerson('1815')
    const other = await elsewhere(person)
    const change = (who: Person, currentNumericPassword: string, numericPassword: string) =>
      who.client.call(lockRoutes.changeNumericPassword, { body: { currentNumericPassword, numericPassword } })
    expect(await change(person, '1815', '2718')).toMatchObject({ status: 423 })
    for (const who of [person, other]) expect(await tryPin(who, '1815')).toMatchObject({ status: 200 })

    expect(await change(person, '1816', '2718')).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
    expect(await stored(person)).toMatchObject({ wrongEntries: 1 })
    await endPause(stack, person)
    expect(await other.client.call(listConversations)).toMatchObject({ status: 200 })

    expect(await change(person, '1815', '2718')).toMatchObject({ status: 200 })
    expect(await person.client.call(listConversations)).toMatchObject({ status: 200 })
    await eventually(async () =>
      expect(await other.client.call(listConversations)).toMatchObject({ status: 423 }),
    )
    expect(await tryPin(other, '1815')).toMatchObject({ status: 403 })
    expect(await tryPin(other, '2718')).toMatchObject({ status: 200 })
  },
)

it.concurrent(
  'of several changes of the PIN at once, one succeeds, and its PIN is the one that unlocks',
  async () => {
    const person = await newPerson('1815')
    expect(await tryPin(person, '1815')).toMatchObject({ status: 200 })
    const numbers = ['1111', '2222', '3333']
    const answers = await Promise.all(
      numbers.map((numericPassword) =>
        person.client.call(lockRoutes.changeNumericPassword, {
          body: { currentNumericPassword: '1815', numericPassword },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    const won = numbers[answers.findIndex(({ status }) => status === 200)] as string
    expect(await tryPin(person, '1815')).toMatchObject({ status: 403 })
    expect(await tryPin(person, won)).toMatchObject({ status: 200 })
  },
)

it.concurrent(
  'compares the next PIN a second after a wrong one, also in another session of the account',
  async () => {
    const person = await newPerson()
    const other = await elsewhere(person)
    const startedAt = performance.now()
    await tryInTurn(person, '11111')
    await tryInTurn(other, '22222')
    expect(await tryInTurn(person, person.pin)).toMatchObject({ status: 200, body: { wrongEntries: 2 } })
    expect(performance.now() - startedAt).toBeGreaterThan(1900)
  },
)

it.concurrent(
  'D-31: pauses unlocking after ten wrong tries of a session, and answers as to a wrong entry',
  async () => {
    const person = await newPerson()
    await triedBefore(person, { explicit: 9 })
    const wrong = await tryPin(person, '99999')
    const whilePaused = await tryPin(person, person.pin)
    expect(whilePaused).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
    expect({ ...whilePaused.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    expect([...whilePaused.headers.keys()].sort()).toEqual([...wrong.headers.keys()].sort())
    expect((await person.client.ok(auth.getUser)).unlockPausedUntil).not.toBeNull()
  },
)

it.concurrent(
  'no longer pauses a session because of another one once the number was right there, and reports the wrong entries at the next unlock',
  async () => {
    // The number was chosen in the first session.
    const first = await newPerson()
    const [person, thief] = await Promise.all([elsewhere(first), elsewhere(first)])
    await triedBefore(thief, { explicit: 9 })
    await tryPin(thief, '99999')
    expect((await person.client.ok(auth.getUser)).unlockPausedUntil).not.toBeNull()
    expect(await tryPin(person, person.pin)).toMatchObject({ status: 403 })
    // Digits and `=` have a budget of their own and prove the PIN, too.
    expect(await tryPin(person, person.pin, { entry: 'digits' })).toMatchObject({
      body: { wrongEntries: 10 },
    })
    expect((await person.client.ok(auth.getUser)).unlockPausedUntil).toBeNull()
    expect((await thief.client.ok(auth.getUser)).unlockPausedUntil).not.toBeNull()
    expect(await tryPin(person, person.pin)).toMatchObject({ status: 200, body: { wrongEntries: 0 } })
  },
)

it.concurrent(
  'ends the session at the twentieth wrong number in password mode, not at the nineteenth',
  async () => {
    const nineteenth = await newPerson()
    await triedBefore(nineteenth, { explicit: 18 })
    expect(await tryPin(nineteenth, '99999')).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
    expect(await nineteenth.client.call(auth.getUser)).toMatchObject({ status: 200 })
    const twentieth = await newPerson()
    await triedBefore(twentieth, { explicit: 19 })
    const other = await elsewhere(twentieth)
    expect(await tryPin(twentieth, '99999')).toMatchObject({ status: 403, body: { code: 'wrong_pin' } })
    expect(await twentieth.client.call(auth.getUser)).toMatchObject({ status: 401 })
    expect(await other.client.call(auth.getUser)).toMatchObject({ status: 200 })
  },
)

it.concurrent(
  'refuses the right number silently in sessions that never had it once the soft failures of the day are spent, until one unlocks',
  async () => {
    const first = await newPerson()
    const [person, other] = await Promise.all([elsewhere(first), elsewhere(first)])
    const digits = (who: Person) => tryPin(who, person.pin, { entry: 'digits' })
    await triedBefore(person, { soft: 19 })
    expect(await tryPin(person, '99999', { intent: 'probe' })).toMatchObject({ status: 403 })
    expect(await digits(person)).toMatchObject({ status: 403 })
    expect(await digits(other)).toMatchObject({ status: 403 })
    expect(await tryPin(person, person.pin)).toMatchObject({ status: 200 })
    expect(await digits(person)).toMatchObject({ status: 200 })
    expect(await digits(other)).toMatchObject({ status: 403 })
  },
)

it.concurrent(
  'refuses the right number silently for the rest of a session with sixty soft failures',
  async () => {
    const person = await newPerson()
    await triedBefore(person, { soft: 0, softOfSession: 60 })
    expect(await tryPin(person, person.pin)).toMatchObject({ status: 200 })
    expect(await tryPin(person, person.pin, { entry: 'digits' })).toMatchObject({ status: 403 })
    expect(await tryPin(await elsewhere(person), person.pin, { entry: 'digits' })).toMatchObject({
      status: 200,
    })
  },
)

it.concurrent('counts a chain of growing entries as one silent failure', async () => {
  const person = await newPerson('987654')
  for (const pin of ['1357', '13579', '135791', '1357913']) await tryPin(person, pin, { intent: 'probe' })
  expect(await stored(person)).toMatchObject({ soft: 1 })
  await tryPin(person, '8642', { intent: 'probe' })
  expect(await stored(person)).toMatchObject({ soft: 2 })
})

it.concurrent(
  'compares a number that was completed while its beginning was still being checked',
  async () => {
    const person = await newPerson('123456')
    await tryInTurn(person, '1234', { intent: 'probe' })
    const beginning = tryInTurn(person, '12345', { intent: 'probe' })
    await eventually(async () =>
      expect((await stored(person))?.['turn']).toMatchObject({ reservedFor: expect.anything() }),
    )
    const whole = tryInTurn(person, '123456', { entry: 'digits' })
    expect((await beginning).status).toBe(403)
    expect((await whole).status).toBe(200)
  },
)
