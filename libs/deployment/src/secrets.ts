import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export const internalCallers = ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime'] as const
export type CallerName = (typeof internalCallers)[number]

/** These secrets are created once for each data folder. */
export interface Secrets {
  mongoAdminPassword: string
  /** Each service's own database user has its password here. */
  mongoPasswords: Record<CallerName, string>
  internalSecrets: Record<CallerName, string>
  tokenKid: string
  tokenPrivateKey: string
  tokenPublicKey: string
  csrfSecret: string
  pinPepper: string
  codePepper: string
  outboxKeySecret: string
  keyShareSecretId: string
  /** Without this secret nobody's key can be opened. Back it up apart from the databases. */
  keyShareSecret: string
  /** The id of every key for notices begins with the name of the sending service. */
  noticeKeyId: string
  noticeKey: string
  /** Only billing encrypts notices with this key. */
  billingNoticeKeyId: string
  billingNoticeKey: string
  giftCodeKeyId: string
  giftCodeKey: string
  giftHashKey: string
  reportKeyId: string
  /** Without this key, the texts that people attached to reports cannot be read. */
  reportKey: string
  kafkaAdminPassword: string
  /** Each service's own user at the brokers has its password here. */
  kafkaPasswords: Record<CallerName, string>
  /** Redis's administrator has this password. */
  redisPassword: string
  /** The one or two users of a service at Redis share this password. */
  redisPasswords: Record<CallerName, string>
  s3SecretKey: string
  /**
   * Backups of a compose project or a cluster are encrypted with this key. `npm start` keeps another key next to its
   * data folder, where a reset does not delete it.
   */
  backupKey: string
}

const hex = () => randomBytes(32).toString('hex')
const perCaller = () =>
  Object.fromEntries(internalCallers.map((name) => [name, hex()])) as Record<CallerName, string>

export function createSecrets(): Secrets {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    mongoAdminPassword: hex(),
    mongoPasswords: perCaller(),
    internalSecrets: perCaller(),
    tokenKid: randomBytes(8).toString('hex'),
    tokenPrivateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    tokenPublicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    csrfSecret: hex(),
    pinPepper: hex(),
    codePepper: hex(),
    outboxKeySecret: hex(),
    keyShareSecretId: randomBytes(4).toString('hex'),
    keyShareSecret: hex(),
    noticeKeyId: `auth-${randomBytes(4).toString('hex')}`,
    noticeKey: hex(),
    billingNoticeKeyId: `billing-${randomBytes(4).toString('hex')}`,
    billingNoticeKey: hex(),
    giftCodeKeyId: randomBytes(4).toString('hex'),
    giftCodeKey: hex(),
    giftHashKey: hex(),
    reportKeyId: randomBytes(4).toString('hex'),
    reportKey: hex(),
    kafkaAdminPassword: hex(),
    kafkaPasswords: perCaller(),
    redisPassword: hex(),
    redisPasswords: perCaller(),
    s3SecretKey: hex(),
    backupKey: hex(),
  }
}

/**
 * Reads the secrets of a data folder, or creates them at the first call. A folder of an earlier version keeps its
 * secrets and gets the missing ones. Only the owner can read the file.
 */
export async function loadSecrets(path: string): Promise<Secrets> {
  const fresh = createSecrets()
  const stored = await readStored(path)
  const secrets = { ...fresh, ...stored }
  if (stored && Object.keys(fresh).every((name) => name in stored)) return secrets
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.part`, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  await rename(`${path}.part`, path)
  return secrets
}

async function readStored(path: string): Promise<Partial<Secrets> | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Secrets>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
