const lists = 'docs/engine-users.md lists them'

/**
 * The settings with which a production process would reach Kafka or Redis without a user of its own: in that case, anybody who controls
 * another service could write what this one may write.
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
  // The job that creates the topics is an administrator, whose name only the operator knows.
  const refused = env['INTERNAL_SECRET'] ? ['', 'admin'] : ['']
  if (env['KAFKA_BROKERS'] && refused.includes(env['KAFKA_USERNAME'] ?? ''))
    faults.push(`KAFKA_USERNAME: production needs a user of the service's own; ${lists}`)
  return faults
}
