/** `__Host-` needs Secure, which plain http on one's own machine cannot have. */
const named = (name: string) => (secure: boolean) => (secure ? `__Host-${name}` : name)

/** The opaque session cookie. */
export const sessionCookie = named('sid')
/** As auth makes its value: 256 bits in base64url. */
export const sessionCookieShape = /^[A-Za-z0-9_-]{43}$/
/** The cookie that stands in for a session before sign-in, so that CSRF tokens have something to be bound to. */
export const preSessionCookie = named('pre')
/** The phone verification under way. */
export const phoneProofCookie = named('phone')
/**
 * Set at every sign-in, readable by scripts, and telling no more than that: `1`, or `2` for an account in discreet mode.
 * No `__Host-` prefix, so that the page finds it under one name everywhere.
 */
export const deviceMarkerCookie = 'v'
/** The signed double-submit half. */
export const csrfCookie = named('csrf')
