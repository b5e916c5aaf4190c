const limitMs = 4000

/** How long a page may still wait for the server's word; counted from its load. */
export const proofWithinMs = (): number => Math.max(0, limitMs - performance.now())

/** The sign-in and a link of a mail show nothing that has to be proven. */
export const needsProof = ({ pathname, search }: Location): boolean =>
  pathname !== '/auth' && !new URLSearchParams(search).has('token')
