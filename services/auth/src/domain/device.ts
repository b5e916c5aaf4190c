import Bowser from 'bowser'

const longestUserAgent = 512
const longestName = 40

/** Returns the names of a browser and its system, such as "Firefox on Android". The rest of the header is dropped. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent.slice(0, longestUserAgent))
  const names = [browser.name, os.name].map((name) => name?.slice(0, longestName))
  const [browserName, system] = names
  if (browserName && system) return `${browserName} on ${system}`
  return browserName || system || 'Unknown device'
}

/** Returns the family of a client's address. No other part of the address is stored. */
export const addressFamilyOf = (address: string): 'IPv4' | 'IPv6' =>
  address.includes(':') && !address.startsWith('::ffff:') ? 'IPv6' : 'IPv4'
