import type { Stack } from '../product/services.ts'
import { startTestStack } from '@sumlock/testing/engines'

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.stop())

it('starts nothing once it was stopped', async () => {
  const auth = stack.service('auth')
  await auth.stop()
  await auth.start()
  expect(auth.running).toBe(true)
  await stack.stop()
  await expect(auth.start()).rejects.toThrow('auth-1 belongs to a stack that was stopped')
  expect(auth.running).toBe(false)
})
