import { Kafka, logLevel } from 'kafkajs'
import mongoose from 'mongoose'
import type { EngineAddresses } from './engine-addresses.ts'
import { createBucket, removeBucket } from './buckets.ts'
import { createTopics } from './create-topics.ts'
import { kafkaAdmin, setKafkaRules } from './kafka-users.ts'
import { mediaBucketSettings } from './media-bucket.ts'
import { createRedisUsers, removeRedisUsers } from './redis-users.ts'
import type { CallerName, Secrets } from './secrets.ts'

export const databaseOwners = [
  'auth',
  'messaging',
  'billing',
  'notify',
] as const satisfies readonly CallerName[]
export type DatabaseOwner = (typeof databaseOwners)[number]

export const databaseName = (namespace: string, owner: DatabaseOwner): string => `${namespace}_${owner}`

/** Returns the address of a service's own database with its own user and password. */
export function databaseUrl(
  addresses: Pick<EngineAddresses, 'mongoAdminUrl'>,
  secrets: Pick<Secrets, 'mongoPasswords'>,
  namespace: string,
  owner: DatabaseOwner,
): string {
  const name = databaseName(namespace, owner)
  const url = new URL(addresses.mongoAdminUrl)
  url.username = name
  url.password = secrets.mongoPasswords[owner]
  url.pathname = `/${name}`
  url.searchParams.set('authSource', name)
  return url.href
}

/** Returns the address of every database by its owner. */
export const databaseUrls = (
  addresses: Pick<EngineAddresses, 'mongoAdminUrl'>,
  secrets: Pick<Secrets, 'mongoPasswords'>,
  namespace: string,
): Record<DatabaseOwner, string> =>
  Object.fromEntries(
    databaseOwners.map((owner) => [owner, databaseUrl(addresses, secrets, namespace, owner)]),
  ) as Record<DatabaseOwner, string>

/**
 * Returns the name of the setting (`MONGO_URL_AUTH`) in which the backup and the owner of a cluster give the address
 * of a service's database.
 */
export const databaseUrlName = (owner: CallerName): string => `MONGO_URL_${owner.toUpperCase()}`

/** Returns the address of every database by the name of its setting. */
export const databaseUrlsByName = (...of: Parameters<typeof databaseUrls>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(databaseUrls(...of)).map(([owner, url]) => [databaseUrlName(owner as DatabaseOwner), url]),
  )

/** Creates the users of a namespace at every engine, its topics and its bucket. Safe to repeat. */
export async function provision(
  addresses: EngineAddresses,
  secrets: Secrets,
  namespace: string,
): Promise<void> {
  await Promise.all([
    createUsers(addresses, secrets, namespace),
    createTopics(kafkaAdmin(addresses), namespace, { setsRules: addresses.kafkaAdminPassword !== '' }),
    createRedisUsers(addresses, secrets, namespace),
    createBucket(mediaBucketSettings(addresses, namespace)),
  ])
}

/**
 * Creates a user for each service's database, who may use no other. Password and roles of an existing user are
 * updated.
 */
export async function createUsers(
  addresses: Pick<EngineAddresses, 'mongoAdminUrl'>,
  secrets: Pick<Secrets, 'mongoPasswords'>,
  namespace: string,
): Promise<void> {
  const connection = await mongoose
    .createConnection(addresses.mongoAdminUrl, { serverSelectionTimeoutMS: 10_000 })
    .asPromise()
  try {
    for (const owner of databaseOwners) {
      const name = databaseName(namespace, owner)
      const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: name }))
      const database = connection.getClient().db(name)
      const account = { pwd: secrets.mongoPasswords[owner], roles }
      await database.command({ createUser: name, ...account }).catch(async (error: unknown) => {
        if ((error as { codeName?: string }).codeName !== 'Location51003') throw error
        // The user exists. Its password or roles may come from an earlier version.
        await database.command({ updateUser: name, ...account })
      })
    }
  } finally {
    await connection.close()
  }
}

/** Removes a namespace's databases, users, rules, topics and bucket. Only tests call it. */
export async function unprovision(addresses: EngineAddresses, namespace: string): Promise<void> {
  await Promise.all([
    removeDatabases(addresses, namespace),
    removeTopics(addresses, namespace),
    removeRedisUsers(addresses, namespace),
    removeBucket(mediaBucketSettings(addresses, namespace)),
  ])
}

/** Removes a namespace's databases and their users. Only tests call it. */
export async function removeDatabases(
  addresses: Pick<EngineAddresses, 'mongoAdminUrl'>,
  namespace: string,
): Promise<void> {
  const connection = await mongoose
    .createConnection(addresses.mongoAdminUrl, { serverSelectionTimeoutMS: 10_000 })
    .asPromise()
  try {
    for (const owner of databaseOwners) {
      const database = connection.getClient().db(databaseName(namespace, owner))
      await database.command({ dropAllUsersFromDatabase: 1 })
      await database.dropDatabase()
    }
  } finally {
    await connection.close()
  }
}

/** Removes a namespace's topics and their rules. Only tests call it. */
export async function removeTopics(
  addresses: Pick<EngineAddresses, 'kafkaBrokers' | 'kafkaAdminPassword'>,
  namespace: string,
): Promise<void> {
  const admin = new Kafka({ ...kafkaAdmin(addresses), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const ours = (await admin.listTopics()).filter((topic) => topic.startsWith(`${namespace}.`))
    if (ours.length > 0) await admin.deleteTopics({ topics: ours })
    if (addresses.kafkaAdminPassword) await setKafkaRules(admin, namespace, [])
  } finally {
    await admin.disconnect()
  }
}
