import { InnerRoutes } from '../../app/inner-routes-part.ts'

/** The address after an unlock. Loaded only then, because the calculator's chunks must not name it. */
export const nextAddress = '/messaging'

export { fetchListAhead } from '../messaging/list-ahead.ts'

/**
 * Loads all parts of the screen at that address at once; each would name the next one only when it is evaluated. With the
 * id of the person, whose keys the page holds, it also opens their texts.
 */
export async function loadNextScreen(userId: string | undefined): Promise<void> {
  const [inner, signedIn, unlocked] = await Promise.all([
    import('../../app/InnerRoutes.tsx'),
    import('../../app/SignedInRoutes.tsx'),
    import('../../app/unlocked-screens.ts'),
  ])
  if (userId !== undefined) unlocked.openAhead(userId)
  await Promise.all([InnerRoutes.load(), inner.loadSignedInRoutes(), signedIn.loadUnlockedScreens()])
}
