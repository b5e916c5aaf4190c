import { redisChannel, redisChannels, redisKeys } from '@sumlock/contracts/redis-channels'
import type { ServiceName } from '@sumlock/contracts/route'
import { Redis } from 'ioredis'
import type { EngineAddresses } from './engine-addresses.ts'
import type { Secrets } from './secrets.ts'

type Setting = 'REDIS_URL' | 'REDIS_PUBLISH_URL'

export interface RedisUser {
  name: string
  service: ServiceName
  /** The service reads the address with this user from this setting. */
  setting: Setting
  /** The names begin with the namespace; `*` stands for any text. */
  channels: string[]
  keys: string[]
  commands: string[]
}

const always = ['ping', 'info']
const subscribing = ['subscribe', 'unsubscribe', 'psubscribe', 'punsubscribe']
const publishing = ['publish']
/** The limiter's script uses these commands, and two of them send it. */
const counting = ['eval', 'evalsha', 'set', 'incrby', 'pttl', 'expire']

const redisServices: readonly ServiceName[] = [
  ...new Set([
    ...redisKeys.flatMap(({ users }) => users),
    ...redisChannels.flatMap(({ readers, writers }) => [...readers, ...writers]),
  ]),
]

/**
 * Returns every user of a namespace. In Redis, a right to a channel covers subscribing and publishing, and only the
 * allowed commands differ. A service that does both therefore has two users.
 */
export const redisUsers = (namespace: string): RedisUser[] =>
  redisServices.flatMap((service) => {
    const of = (side: 'readers' | 'writers') =>
      redisChannels
        .filter((channel) => channel[side].some((name) => name === service))
        .map(({ pattern }) => redisChannel(namespace, pattern))
    const [reads, writes] = [of('readers'), of('writers')]
    const keys = redisKeys
      .filter(({ users }) => users.some((name) => name === service))
      .map(({ pattern }) => redisChannel(namespace, pattern))
    const name = `${namespace}_${service}`
    const publisher = { service, channels: writes, keys: [], commands: [...always, ...publishing] }
    if (reads.length === 0 && keys.length === 0) return [{ ...publisher, name, setting: 'REDIS_URL' }]
    const commands = [...always, ...subscribing, ...(keys.length > 0 ? counting : [])]
    const first: RedisUser = { service, name, setting: 'REDIS_URL', channels: reads, keys, commands }
    if (writes.length === 0) return [first]
    return [first, { ...publisher, name: `${name}_publisher`, setting: 'REDIS_PUBLISH_URL' }]
  })

/** Returns the rights of a user as rules of Redis. Nothing else is allowed. */
export const redisRules = ({ channels, keys, commands }: RedisUser): string[] => [
  ...keys.map((key) => `~${key}`),
  ...channels.map((channel) => `&${channel}`),
  ...commands.map((command) => `+${command}`),
]

type RedisSecrets = Pick<Secrets, 'redisPassword' | 'redisPasswords'>

const ruleWords = (user: RedisUser, { redisPasswords }: RedisSecrets) => [
  // Before Redis 7, `reset` allows all channels, so `resetchannels` follows it.
  ...['reset', 'resetchannels', 'on', `>${redisPasswords[user.service]}`],
  ...redisRules(user),
]

/** Returns the addresses of Redis for a service by setting; none if the service does not use Redis. */
export const redisUrls = (
  redisUrl: string,
  { redisPasswords }: Pick<RedisSecrets, 'redisPasswords'>,
  namespace: string,
  service: ServiceName,
): Partial<Record<Setting, string>> =>
  Object.fromEntries(
    redisUsers(namespace)
      .filter((user) => user.service === service)
      .map(({ name, setting }) => {
        const url = new URL(redisUrl)
        url.username = name
        url.password = redisPasswords[service]
        return [setting, url.href]
      }),
  )

/** Returns the configuration of a Redis that we start ourselves. It stores nothing on disk and has all users. */
export const redisConfiguration = (secrets: RedisSecrets, namespace: string): string =>
  [
    `requirepass ${secrets.redisPassword}`,
    ...redisUsers(namespace).map((user) => `user ${user.name} ${ruleWords(user, secrets).join(' ')}`),
    'save ""',
    'appendonly no',
    'dir /tmp',
    '',
  ].join('\n')

const withRedis = async (redisUrl: string, use: (redis: Redis) => Promise<void>) => {
  const redis = new Redis(redisUrl, { disableClientInfo: true })
  await use(redis).finally(() => redis.disconnect())
}

/** A Redis with an ACL file keeps the users across a restart. One without it refuses the command. */
const keepUsers = (redis: Redis) =>
  redis.call('ACL', 'SAVE').catch((error: Error) => {
    if (!error.message.includes('not configured to use an ACL file')) throw error
  })

/** Creates the users of a namespace, or gives existing ones the present passwords and rights. */
export const createRedisUsers = (
  { redisUrl }: Pick<EngineAddresses, 'redisUrl'>,
  secrets: RedisSecrets,
  namespace: string,
): Promise<void> =>
  withRedis(redisUrl, async (redis) => {
    for (const user of redisUsers(namespace))
      await redis.call('ACL', 'SETUSER', user.name, ...ruleWords(user, secrets))
    await keepUsers(redis)
  })

/** Removes the users of a namespace. Only tests call it. */
export const removeRedisUsers = (
  { redisUrl }: Pick<EngineAddresses, 'redisUrl'>,
  namespace: string,
): Promise<void> =>
  withRedis(redisUrl, async (redis) => {
    await redis.call('ACL', 'DELUSER', ...redisUsers(namespace).map(({ name }) => name))
    await keepUsers(redis)
  })
