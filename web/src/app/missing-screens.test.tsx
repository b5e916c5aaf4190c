import { jest } from '@jest/globals'

let tries = 0
// Simulates a network on which the file cannot be downloaded.
jest.unstable_mockModule('./SignedInRoutes.tsx', () => {
  tries += 1
  throw new TypeError('Failed to fetch dynamically imported module')
})
const { expectRetry } = await import('../../test/expect-retry.tsx')

it('tries twice to download the screens of a signed-in person, then offers Retry', async () => {
  await expectRetry()
  expect(tries).toBe(2)
})
