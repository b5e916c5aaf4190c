import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { registerPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'

const pin = '24680'

// An entry waits at most two seconds for its turn, so this test needs the processors for itself.
it('accepts the right number of a session that unlocked before, while another session floods the account with guesses', async () => {
  const stack = await sharedStack()
  const { client: owner, username, password, user } = await registerPerson(stack, { pin })
  await owner.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: pin } })
  const tryPin = (client: Client, numericPassword: string) =>
    client.call(lockRoutes.verifyNumericPassword, { body: { numericPassword } })
  const budget = () =>
    withDatabase(stack, 'auth', (database) =>
      database.collection('unlock_budgets').findOne({ _id: user.id as never }),
    )
  expect(await tryPin(owner, pin)).toMatchObject({ status: 200 })
  const thief = new Client(stack)
  await thief.ok(auth.login, { body: { username, password } })
  for (const client of [owner, thief]) client.keptToken = await client.csrfToken()
  let isOver = false
  const flood = Array.from({ length: 4 }, async (_, lane) => {
    for (let index = 0; !isOver; index += 1) await tryPin(thief, String(60_000 + lane * 1000 + index))
  })
  await eventually(async () => expect((await budget())?.['explicit']).toBeGreaterThan(0))
  const owners = []
  for (let index = 0; index < 4; index += 1) {
    const first = await tryPin(owner, pin)
    // An entry that waited too long for its turn is refused, and its owner enters the number again.
    owners.push(first.status === 200 ? first : await tryPin(owner, pin))
  }
  isOver = true
  await Promise.all(flood)
  expect(owners.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})
