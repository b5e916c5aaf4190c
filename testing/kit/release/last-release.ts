import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getUser, login } from '@sumlock/contracts/auth-routes'
import { verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import { databaseUrls, provision } from '@sumlock/deployment/provision'
import type { Secrets } from '@sumlock/deployment/secrets'
import { repoRoot } from '@sumlock/dev/config'
import type { StackOptions } from '@sumlock/dev/product/services'
import { migrateDatabases } from '@sumlock/jobs/migrate-databases'
import { randomNamespace, testEngines } from '../test-engines.ts'
import { loadDump } from './database-dump.ts'

export interface ReleasedPerson {
  username: string
  password: string
  pin: string
}

/** Describes the dump that the last release wrote: how to sign in, and what is stored. */
export interface LastRelease {
  commit: string
  /** Without these keys, the stored PINs and notices cannot be read. */
  secrets: Pick<Secrets, 'pinPepper' | 'codePepper' | 'outboxKeySecret' | 'noticeKeyId' | 'noticeKey'>
  ann: ReleasedPerson
  bob: ReleasedPerson
  conversationId: string
  messages: string[]
  /** The premium that was granted to Ann ends at this time. */
  premiumUntil: string
}

export const lastReleaseFolder = join(repoRoot, 'testing/fixtures/last-release')

export const readLastRelease = (): LastRelease =>
  JSON.parse(readFileSync(join(lastReleaseFolder, 'release.json'), 'utf8')) as LastRelease

/**
 * Loads the last release's dump into a new namespace and migrates it. Resolves to the options that start services on
 * it.
 */
export async function migratedReleaseData(release: LastRelease): Promise<StackOptions> {
  const { addresses, secrets: ownSecrets, dataDir } = await testEngines()
  const namespace = randomNamespace()
  const secrets = { ...ownSecrets, ...release.secrets }
  await provision(addresses, secrets, namespace)
  await loadDump({ addresses, secrets, namespace }, lastReleaseFolder)
  await migrateDatabases(databaseUrls(addresses, secrets, namespace))
  const logDir = join(dataDir, 'logs', namespace)
  return { addresses, secrets, namespace, mode: 'test', logDir, logLevel: 'warn' }
}

/** Signs a person of the dump in and unlocks. */
async function unlocked(gatewayUrl: string, { username, password, pin }: ReleasedPerson): Promise<Client> {
  const client = new Client({ gatewayUrl })
  await client.ok(login, { body: { username, password } })
  await client.ok(verifyNumericPassword, { body: { numericPassword: pin } })
  return client
}

/**
 * Signs both people of the dump in, unlocks with their old PINs, reads the old messages, and sends and reads a new one.
 * Returns the contents of the conversation afterwards.
 */
export async function checkProduct(
  gatewayUrl: string,
  release: LastRelease,
  text: string,
): Promise<string[]> {
  const ann = await unlocked(gatewayUrl, release.ann)
  const bob = await unlocked(gatewayUrl, release.bob)
  const user = await ann.ok(getUser)
  expect(isWholeUser(user) && user.subscriptionExpiresAt).toBe(release.premiumUntil)
  const { conversationId } = release
  const contents = async () => {
    const messages = await bob.ok(listMessages, { params: { id: conversationId }, query: {} })
    return messages.map(({ content }) => content)
  }
  const before = await contents()
  expect(before.slice(0, release.messages.length)).toEqual(release.messages)
  await ann.ok(sendMessage, { body: { conversationId, messageType: 'text', content: text } })
  const after = await contents()
  expect(after).toEqual([...before, text])
  return after
}
