const limitMs = 4000

/** A page may wait this much longer, counted from its load, for the server's answer about the session. */
export const proofWithinMs = (): number => Math.max(0, limitMs - performance.now())

/** The sign-in and the pages of mail links show nothing that needs an open session. */
export const needsProof = ({ pathname, search }: Location): boolean =>
  pathname !== '/auth' && !new URLSearchParams(search).has('token')
