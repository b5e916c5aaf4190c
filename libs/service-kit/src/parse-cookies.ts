/**
 * Returns the cookies by name. The first of several with one name wins; a value that cannot be decoded is kept as it
 * is.
 */
export function parseCookies(header: string | undefined): Record<string, string> {
  const cookies = Object.create(null) as Record<string, string>
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at < 1) continue
    const name = pair.slice(0, at).trim()
    if (name in cookies) continue
    const raw = pair.slice(at + 1).trim()
    try {
      cookies[name] = decodeURIComponent(raw)
    } catch {
      cookies[name] = raw
    }
  }
  return cookies
}

export interface CookieOptions {
  secure: boolean
  /** When absent, the cookie lasts until the browser closes; 0 deletes it. */
  maxAgeSeconds?: number
  /** By default scripts cannot read the cookie. */
  isReadableByScripts?: boolean
}

/** Returns a Set-Cookie value with SameSite=Lax, path `/` and, unless stated otherwise, HttpOnly. */
export function serializeCookie(
  name: string,
  value: string,
  { secure, maxAgeSeconds, isReadableByScripts = false }: CookieOptions,
): string {
  const parts = [`${name}=${encodeURIComponent(value)}`, 'Path=/', 'SameSite=Lax']
  if (!isReadableByScripts) parts.push('HttpOnly')
  if (secure) parts.push('Secure')
  if (maxAgeSeconds !== undefined) parts.push(`Max-Age=${maxAgeSeconds}`)
  return parts.join('; ')
}
