import { systemClock } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'
import { openSession } from './open-session.ts'

const signedIn = { _id: 'ann', isAdmin: false } as User

/** Opens a session while the stored account is as given; returns the outcome, and which sessions live and are revoked. */
async function open(stored: User) {
  const inserted: string[] = []
  const revoked: string[] = []
  const ctx = {
    clock: systemClock(),
    security: { note: () => undefined },
    users: { byId: () => Promise.resolve(stored) },
    sessions: {
      insert: ({ _id }: { _id: string }) => Promise.resolve(void inserted.push(_id)),
      revoke: (id: string) => Promise.resolve(revoked.push(id) > 0),
      othersOf: () => Promise.resolve([]),
    },
    publishInvalidation: () => undefined,
  } as unknown as Context
  const browser = { previousCookie: undefined, userAgent: undefined, address: '127.0.0.1' }
  const outcome = await openSession(ctx, signedIn, browser).catch((error: unknown) => error)
  return { outcome, inserted, revoked }
}

it('opens a session while the password is the one that was compared', async () => {
  const { outcome, inserted, revoked } = await open(signedIn)
  expect(outcome).toMatchObject({ session: { _id: inserted[0], userId: 'ann' } })
  expect(revoked).toEqual([])
})

it('ends the session again, and refuses the sign-in, when the password was reset after it was compared', async () => {
  const { outcome, inserted, revoked } = await open({ ...signedIn, passwordChangedAt: new Date() })
  expect(outcome).toMatchObject({ code: 'wrong_credentials' })
  expect(inserted).toHaveLength(1)
  expect(revoked).toEqual(inserted)
})
