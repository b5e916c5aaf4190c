import { loadUnlockedScreens } from './chunks/signed-in.ts'
import { InnerRoutes, SignedInRoutes } from './chunks/before-sign-in.ts'

/** The address after an unlock. Loaded only then, because the calculator's chunks must not name it. */
export const nextAddress = '/messaging'

export { fetchListAhead } from '../features/conversations/list-ahead.ts'

/**
 * Loads all parts of the screen at that address at once; each would name the next one only when it is evaluated. With the
 * id of the person, whose keys the page holds, it also opens their texts.
 */
export async function loadNextScreen(userId: string | undefined): Promise<void> {
  const screens = loadUnlockedScreens()
  if (userId !== undefined) (await import('./unlocked-screens.ts')).openAhead(userId)
  await Promise.all([InnerRoutes.load(), SignedInRoutes.load(), screens])
}
