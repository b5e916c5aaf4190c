/** With `accepted` in INSECURE_NETWORK, production may connect to its engines without TLS. */
export const insecureNetwork = ['refused', 'accepted'] as const

type Options = ReadonlyMap<string, string>

const hasTls: Record<string, (options: Options) => boolean> = {
  'mongodb:': (options) => (options.get('tls') ?? options.get('ssl')) === 'true',
  'mongodb+srv:': (options) => (options.get('tls') ?? options.get('ssl')) !== 'false',
  'rediss:': () => true,
  'https:': () => true,
}
/** With one of these options, MongoDB's driver accepts certificates that it cannot verify. */
const uncheckedOptions = ['tlsinsecure', 'tlsallowinvalidcertificates', 'tlsallowinvalidhostnames']

const isSecret = (address: string): boolean => {
  // URL.parse refuses a list of hosts, so all hosts after the first are removed. Only scheme and options decide about
  // TLS.
  const url = URL.parse(address.replace(/,[^/@]*(?=[/?]|$)/, ''))
  // MongoDB's driver ignores the case of options.
  const options = new Map([...(url?.searchParams ?? [])].map(([name, value]) => [name.toLowerCase(), value]))
  if (!url || !hasTls[url.protocol]?.(options)) return false
  return uncheckedOptions.every((option) => options.get(option) !== 'true')
}

/**
 * Returns a sentence for each setting that lets a production process connect to an engine without TLS. The mail
 * server needs no check here, because notify demands TLS from it unless INSECURE_NETWORK is `accepted`.
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
