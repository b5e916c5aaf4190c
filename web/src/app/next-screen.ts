import type { Page } from '../page.ts'
import { loadUnlockedScreens } from './chunks/signed-in.ts'
import { InnerRoutes, SignedInRoutes } from './chunks/before-sign-in.ts'

/**
 * An unlock leads to this address. This file is loaded only then, because the calculator's chunks must not name the
 * address.
 */
export const nextAddress = '/messaging'

/**
 * Fetches the list of conversations while an unlock is still running. It does so only on a page that already holds the
 * unlocked keys, because a lock replaces only such a page.
 */
export function prefetchList({ client, unlocked }: Page): void {
  if (unlocked) unlocked.list = client.request({ url: '/api/conversations' })
}

/**
 * Loads all parts of the next screen at the same time, because each part would otherwise request the next one only when
 * it runs. If `userId` is given, the page holds that person's keys, and their unsent texts are opened as well.
 */
export async function loadNextScreen(page: Page, userId: string | undefined): Promise<void> {
  const screens = loadUnlockedScreens()
  if (userId !== undefined) (await import('./unlocked-screens.ts')).prepareSession(page, userId)
  await Promise.all([InnerRoutes.load(), SignedInRoutes.load(), screens])
}
