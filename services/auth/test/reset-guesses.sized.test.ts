import { login } from '@sumlock/contracts/auth-routes'
import { csrfCookie } from '@sumlock/contracts/cookies'
import { requestPasswordReset, resetPassword } from '@sumlock/contracts/mail-link-routes'
import { Client } from '@sumlock/deployment/api-client'
import type { Stack } from '@sumlock/dev/product/services'
import { sized } from '@sumlock/testing/config'
import { startTestStack } from '@sumlock/testing/engines'
import { registerPerson } from '@sumlock/testing/people'
import { readMailToken } from '@sumlock/testing/mail-token'

const guesses = sized({ small: 50, full: 1000 })

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({
    replicas: { messaging: 0, billing: 0, realtime: 0 },
    env: { gateway: { RATE_LIMITS: 'on', TRUSTED_HOPS: '1' } },
  })
})
afterAll(() => stack.stop())

/** A browser behind an address, as the proxy in front of the gateway reports it. */
async function browserAt(address: string) {
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const token = await client.csrfToken()
  expect(client.cookies.get(csrfCookie(false))).toBeTruthy()
  return async (resetToken: string) => {
    const answer = await client.raw('POST', resetPassword.path, {
      headers: { 'content-type': 'application/json', 'x-csrf-token': token, 'x-forwarded-for': address },
      body: JSON.stringify({ token: resetToken, newPassword: 'another horse' }),
    })
    const { requestId: _id, ...told } = JSON.parse(await answer.text()) as Record<string, unknown>
    // The flood limit and the route's limit end at different times.
    return { status: answer.status, told: JSON.stringify(told).replace(/ in \d+ (second|minute)s?\./, '') }
  }
}

it(`refuses ${guesses} wrong reset tokens at once from one address alike, most by its limit, and accepts the right one from another`, async () => {
  const person = await registerPerson(stack)
  const { email } = person.user
  await person.client.ok(requestPasswordReset, { body: { email } })
  const right = await readMailToken(stack.addresses.inboxUrl, email, '/reset-password')
  const guess = await browserAt('203.0.113.7')
  const wrong = (index: number) => right.slice(0, -4) + String(index).padStart(4, '0')
  const answers = await Promise.all(Array.from({ length: guesses }, (_, index) => guess(wrong(index))))
  const compared = answers.filter(({ status }) => status === 403)
  const limited = answers.filter(({ status }) => status === 429)
  expect(compared).toHaveLength(resetPassword.rate.perAddress.points)
  expect(limited).toHaveLength(guesses - compared.length)
  for (const group of [compared, limited]) expect(new Set(group.map(({ told }) => told)).size).toBe(1)
  // Even the right token is no longer compared for this address.
  expect(await guess(right)).toMatchObject({ status: 429 })

  const reset = await browserAt('198.51.100.4')
  expect(await reset(right)).toMatchObject({ status: 200 })
  const { username } = person
  await person.client.ok(login, { body: { username, password: 'another horse' } })
})
