/** Returns the origins whose host is no loopback address, so that other machines may reach them. */
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
