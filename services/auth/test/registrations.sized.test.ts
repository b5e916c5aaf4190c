import * as auth from '@sumlock/contracts/auth-routes'
import { Client } from '@sumlock/deployment/api-client'
import { sized } from '@sumlock/testing/config'
import { withDatabase } from '@sumlock/testing/database'
import { freshPhone } from '@sumlock/testing/fresh-phone'
import { sharedStack } from '@sumlock/testing/shared-stack'

const count = sized({ small: 25, full: 200 })

it(`of ${count} registrations of one name at once, in any case of letters, one makes an account`, async () => {
  const stack = await sharedStack()
  const name = `wanted${Math.random().toString(36).slice(2, 10)}`
  const registrations = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const client = new Client({ gatewayUrl: stack.gatewayUrl })
      const phone = freshPhone()
      const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
      await client.ok(auth.verifyPhoneCode, { body: { code: demoCode } })
      client.keptToken = await client.csrfToken()
      const body = {
        username: index % 2 === 0 ? name : name.toUpperCase(),
        email: `${name}.${index}@example.com`,
        phone,
        fullName: 'One of many',
        password: 'correct horse',
      }
      return () => client.call(auth.register, { body })
    }),
  )
  const answers = await Promise.all(registrations.map((register) => register()))
  const told = answers.map(({ status, body }) => (status === 201 ? '201' : (body as { code?: string }).code))
  expect(told.filter((one) => one === '201')).toHaveLength(1)
  // A busy answer is acceptable, because the person can press the button again.
  const others = told.filter((one) => one !== '201')
  expect(others.filter((one) => one !== 'username_taken' && one !== 'too_many_requests')).toEqual([])
  expect(others).toContain('username_taken')
  const stored = await withDatabase(stack, 'auth', (database) =>
    database.collection('users').countDocuments({ usernameKey: name }),
  )
  expect(stored).toBe(1)
})
