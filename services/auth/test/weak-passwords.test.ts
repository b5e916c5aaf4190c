import * as auth from '@sumlock/contracts/auth-routes'
import * as links from '@sumlock/contracts/mail-link-routes'
import { Client } from '@sumlock/deployment/api-client'
import { freshPhone } from '@sumlock/testing/fresh-phone'
import { registerPerson, unlockedPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { readMailToken } from '@sumlock/testing/mail-token'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const refusedAt = (field: string) => ({
  status: 400,
  body: { code: 'invalid_request', fields: { [field]: expect.stringContaining('Please choose another.') } },
})

it('a registration with a common password, or with the user name, is refused, and uses up nothing', async () => {
  const client = new Client(stack)
  const phone = freshPhone()
  const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
  await client.ok(auth.verifyPhoneCode, { body: { code: demoCode } })
  const register = (password: string) => {
    const account = { username: 'weak.words', email: 'weak.words@example.com', fullName: 'Weak Words' }
    return client.call(auth.register, { body: { ...account, phone, password } })
  }
  for (const password of ['123456', 'Sunshine', 'Weak.Words'])
    expect(await register(password)).toMatchObject(refusedAt('password'))
  expect(await register('correct horse')).toMatchObject({ status: 201 })
})

it('an account password is not changed to a common one', async () => {
  const { client, password, username } = await unlockedPerson(stack)
  for (const newPassword of ['qwerty', username])
    expect(await client.call(auth.changePassword, { body: { password, newPassword } })).toMatchObject(
      refusedAt('newPassword'),
    )
  const login = { body: { username, password } }
  expect(await new Client(stack).call(auth.login, login)).toMatchObject({ status: 200 })
})

it('a reset to a common password is refused, and its link works on', async () => {
  const { user, username } = await registerPerson(stack)
  await new Client(stack).ok(links.requestPasswordReset, { body: { email: user.email } })
  const token = await readMailToken(stack.addresses.inboxUrl, user.email, '/reset-password')
  const reset = (newPassword: string) =>
    new Client(stack).call(links.resetPassword, { body: { token, newPassword } })
  for (const newPassword of ['letmein', username])
    expect(await reset(newPassword)).toMatchObject(refusedAt('newPassword'))
  expect(await reset('another horse')).toMatchObject({ status: 200 })
})
