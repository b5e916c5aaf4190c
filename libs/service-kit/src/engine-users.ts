const lists = 'docs/engine-users.md lists them'

/**
 * Reports settings with which a production process would use Kafka or Redis under a shared user. An attacker who
 * controls one service could then write the records or channels of another.
 */
export function engineUserFaults(env: NodeJS.ProcessEnv): string[] {
  if (env['SUMLOCK_MODE'] !== 'production') return []
  const redis = ['REDIS_URL', 'REDIS_PUBLISH_URL'].filter((name) => env[name])
  const users = redis.map((name) => URL.parse(env[name] ?? '')?.username ?? '')
  const faults = redis
    .filter((_, index) => ['', 'default'].includes(users[index] ?? ''))
    .map((name) => `${name}: production needs a user of the service's own; ${lists}`)
  if (faults.length === 0 && new Set(users).size < users.length)
    faults.push(`REDIS_PUBLISH_URL: needs another user than REDIS_URL; ${lists}`)
  // The job that creates the topics has no INTERNAL_SECRET. It must be an administrator, whose name may be any.
  const refused = env['INTERNAL_SECRET'] ? ['', 'admin'] : ['']
  if (env['KAFKA_BROKERS'] && refused.includes(env['KAFKA_USERNAME'] ?? ''))
    faults.push(`KAFKA_USERNAME: production needs a user of the service's own; ${lists}`)
  return faults
}
