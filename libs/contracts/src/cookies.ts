/** The `__Host-` prefix requires Secure, which plain http on a local machine does not support. */
const named = (name: string) => (secure: boolean) => (secure ? `__Host-${name}` : name)

/** The opaque session cookie. */
export const sessionCookie = named('sid')
/** The format of its value: 256 bits in base64url. */
export const sessionCookieShape = /^[A-Za-z0-9_-]{43}$/
/** Stands in for a session before the sign-in, so that a CSRF token can be bound to it. */
export const preSessionCookie = named('pre')
/** The current phone verification. */
export const phoneProofCookie = named('phone')
/**
 * Marks a device that has signed in: `1`, or `2` for an account in discreet mode. Readable by scripts. No `__Host-`
 * prefix, so that the page finds it under one name everywhere.
 */
export const deviceMarkerCookie = 'v'
/** The signed double-submit half. */
export const csrfCookie = named('csrf')
