import { InnerRoutes } from '../../app/inner-routes-part.ts'

/** The address after an unlock. Loaded only then, because the calculator's chunks must not name it. */
export const nextAddress = '/messaging'

export { fetchListAhead } from '../messaging/list-ahead.ts'

/** Loads all parts of the screen at that address at once; each would name the next one only when it is evaluated. */
export async function loadNextScreen(): Promise<void> {
  const [inner, signedIn] = await Promise.all([
    import('../../app/InnerRoutes.tsx'),
    import('../../app/SignedInRoutes.tsx'),
    import('../../app/unlocked-screens.ts'),
  ])
  await Promise.all([InnerRoutes.load(), inner.loadSignedInRoutes(), signedIn.loadUnlockedScreens()])
}
