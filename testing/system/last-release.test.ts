import { login } from '@sumlock/contracts/auth-routes'
import { verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { Client } from '@sumlock/deployment/api-client'
import { unprovision } from '@sumlock/deployment/provision'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import { checkProduct, migratedReleaseData, readLastRelease } from '../kit/release/last-release.ts'

const release = readLastRelease()
let stack: Stack
beforeAll(async () => {
  stack = await startServices(await migratedReleaseData(release))
})
afterAll(async () => {
  await stack.stop()
  await unprovision(stack.addresses, stack.namespace)
})

it('lets people sign in, unlock, read their messages and send on data written by the last release', async () => {
  const contents = await checkProduct(stack.gatewayUrl, release, 'sent by the new version')
  expect(contents).toEqual([...release.messages, 'sent by the new version'])
})

it('refuses a wrong PIN for an account of the last release', async () => {
  const client = new Client(stack)
  const { username, password } = release.bob
  await client.ok(login, { body: { username, password } })
  const refused = await client.call(verifyNumericPassword, { body: { numericPassword: '0000' } })
  expect(refused.body).toMatchObject({ code: 'wrong_pin' })
})
