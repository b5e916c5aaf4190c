import type { User } from '@sumlock/contracts/user'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Route } from 'react-router-dom'
import { SettingsScreen } from '../src/features/settings/SettingsScreen.tsx'
import { fakeApi, unlockedUser } from './fake-api.ts'
import type { Answer } from './fake-api.ts'
import { showSignedIn } from './show-signed-in.tsx'
import { toasts as toastStore } from './page.ts'

export const freeUser = { ...unlockedUser, subscriptionType: 'free', dailyMessageCount: 0 } as unknown as User
export const premiumUser = {
  ...freeUser,
  subscriptionType: 'premium',
  subscriptionExpiresAt: '2027-11-22T12:00:00.000Z',
} as User

/** A gateway with this signed-in person that records the bodies of the given calls. */
export function serveUser(user: User, answers: Record<string, Answer | (() => Answer)> = {}) {
  const sent: { call: string; body: unknown }[] = []
  const recorded = Object.entries(answers).map(([call, answer]) => [
    call,
    (body: unknown) => {
      sent.push({ call, body })
      return typeof answer === 'function' ? answer() : answer
    },
  ])
  const server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: user }),
    ...(Object.fromEntries(recorded) as Record<string, (body: unknown) => Answer>),
  })
  const bodiesOf = (call: string) => sent.filter((one) => one.call === call).map(({ body }) => body)
  return { ...server, sent, bodiesOf }
}

/** Shows the settings, or another address among these routes. */
export const showSettings = (
  address: Parameters<typeof showSignedIn>[1] = '/settings',
  routes?: ReactNode,
  outside?: ReactNode,
) =>
  showSignedIn(
    <>
      <Route path="/settings" element={<SettingsScreen />} />
      {routes}
    </>,
    address,
    outside,
  )

export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }))

export const toastShown = (title: string, description: string) =>
  waitFor(() => expect(toastStore.get()).toMatchObject({ title, description }))
