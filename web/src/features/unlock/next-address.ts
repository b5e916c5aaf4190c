/** The address after an unlock. Loaded only then, because the calculator's chunks must not name it. */
export const nextAddress = '/messaging'

/** Downloads all parts of the screen at that address at once; each would name the next one only when it is evaluated. */
export async function loadNextScreen(): Promise<void> {
  await Promise.all([
    import('../../app/InnerRoutes.tsx'),
    import('../../app/SignedInRoutes.tsx'),
    import('../../app/unlocked-screens.ts'),
  ])
}
