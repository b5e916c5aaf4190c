/** Values of the setting INSECURE_NETWORK: whether production may speak to its engines without TLS. */
export const insecureNetwork = ['refused', 'accepted'] as const

const hasTls: Record<string, (url: URL) => boolean> = {
  'mongodb:': ({ searchParams }) => (searchParams.get('tls') ?? searchParams.get('ssl')) === 'true',
  'mongodb+srv:': ({ searchParams }) => (searchParams.get('tls') ?? searchParams.get('ssl')) !== 'false',
  'rediss:': () => true,
  'https:': () => true,
}
/** Options of an address that accept the certificate of anybody. */
const uncheckedOptions = ['tlsInsecure', 'tlsAllowInvalidCertificates', 'tlsAllowInvalidHostnames']

const isSecret = (address: string): boolean => {
  // A list of hosts is no URL; TLS is decided by what stands around it.
  const url = URL.parse(address.replace(/,[^/@]*(?=[/?]|$)/, ''))
  if (!url || !hasTls[url.protocol]?.(url)) return false
  return uncheckedOptions.every((option) => url.searchParams.get(option) !== 'true')
}

/**
 * The settings with which a production process would speak to an engine without TLS. The mail server is not among them:
 * the sender of mails demands TLS of it.
 */
export function plainNetworkFaults(env: NodeJS.ProcessEnv): string[] {
  if (env['SUMLOCK_MODE'] !== 'production' || env['INSECURE_NETWORK'] === 'accepted') return []
  const plain = Object.entries(env)
    .filter(
      ([name, value]) => /^(MONGO_URL(_\w+)?|REDIS_URL|REDIS_PUBLISH_URL|S3_ENDPOINT)$/.test(name) && value,
    )
    .flatMap(([name, value = '']) => (isSecret(value) ? [] : [name]))
  if (env['KAFKA_BROKERS'] && env['KAFKA_TLS'] !== 'on') plain.push('KAFKA_TLS')
  const remedy = 'set INSECURE_NETWORK=accepted where nobody else reaches that network'
  return plain.map((name) => `${name}: needs TLS in production; ${remedy}`)
}
