/** Cookies by name; the first of a name wins, values that cannot be decoded are kept as they are. */
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
  /** Absent: until the browser closes. 0: delete. */
  maxAgeSeconds?: number
  /** By default scripts cannot read the cookie. */
  isReadableByScripts?: boolean
}

/** A Set-Cookie value: HttpOnly unless stated otherwise, SameSite=Lax, path `/`. */
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
