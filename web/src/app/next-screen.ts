import type { Page } from '../page.ts'
import { loadUnlockedScreens } from './chunks/signed-in.ts'
import { InnerRoutes, SignedInRoutes } from './chunks/before-sign-in.ts'

/** The address after an unlock. It is loaded only then, because the calculator's chunks must not name it. */
export const nextAddress = '/messaging'

/** Fetches the list during the pauses of an unlock. The page must hold its key by then, so that a lock replaces it. */
export function prefetchList({ client, unlocked }: Page): void {
  if (unlocked) unlocked.list = client.request({ url: '/api/conversations' })
}

/**
 * Loads all parts of the next screen at once, because each part would request the next one only when it is evaluated.
 * If `userId` is given, the page holds that person's keys, and their texts are opened, too.
 */
export async function loadNextScreen(page: Page, userId: string | undefined): Promise<void> {
  const screens = loadUnlockedScreens()
  if (userId !== undefined) (await import('./unlocked-screens.ts')).prepareSession(page, userId)
  await Promise.all([InnerRoutes.load(), SignedInRoutes.load(), screens])
}
