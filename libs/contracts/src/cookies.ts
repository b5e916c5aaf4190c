/** `__Host-` needs Secure, which plain http on one's own machine cannot have. */
const named = (name: string) => (secure: boolean) => (secure ? `__Host-${name}` : name)

/** The opaque session cookie. */
export const sessionCookie = named('sid')
/** The cookie that stands in for a session before sign-in, so that CSRF tokens have something to be bound to. */
export const preSessionCookie = named('pre')
/** The phone verification under way. */
export const phoneProofCookie = named('phone')
/** The signed double-submit half. */
export const csrfCookie = named('csrf')
