const limitMs = 4000

/**
 * Returns for how many milliseconds a page may still wait for the server's answer about the session. The limit counts
 * from the page's load.
 */
export const proofWithinMs = (): number => Math.max(0, limitMs - performance.now())

/**
 * Returns whether a page may be shown only if the server confirms an open session. The sign-in and the pages of mail
 * links show nothing that needs one.
 */
export const needsProof = ({ pathname, search }: Location): boolean =>
  pathname !== '/auth' && !new URLSearchParams(search).has('token')
