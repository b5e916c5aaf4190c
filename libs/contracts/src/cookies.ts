/** Browsers accept the prefix `__Host-` only with Secure, which plain http on a local machine does not support. */
const named = (name: string) => (secure: boolean) => (secure ? `__Host-${name}` : name)

/** The cookie's value is a random secret that identifies the session. */
export const sessionCookie = named('sid')
/** The value of the session cookie has 256 bits in base64url. */
export const sessionCookieShape = /^[A-Za-z0-9_-]{43}$/
/** Before the sign-in there is no session, so CSRF tokens are bound to this cookie. */
export const preSessionCookie = named('pre')
/** The cookie identifies the current verification of a phone number. */
export const phoneProofCookie = named('phone')
/**
 * The cookie marks a device that has signed in: `1`, or `2` for an account in discreet mode. Scripts read it. It has
 * no prefix `__Host-`, so that it has the same name over http and https.
 */
export const deviceMarkerCookie = 'v'
/** The cookie holds the signed value with which the header `x-csrf-token` must match. */
export const csrfCookie = named('csrf')
