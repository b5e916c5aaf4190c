/** Returns the origins that other machines can reach: all but loopback addresses. */
export const openOrigins = (origins: readonly string[]): string[] =>
  origins.filter((origin) => !isLoopback(origin))

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}
