import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { BackupTask } from './backup-file.ts'
import { keyIdOf, mac } from './cipher.ts'
import { DamagedBackupError, CommandRefusedError } from './errors.ts'

export const manifestName = 'manifest.json'
const databaseOwners = ['auth', 'messaging', 'billing', 'notify'] as const
export type DatabaseOwner = (typeof databaseOwners)[number]

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const stored = { file: z.string(), bytes: z.number().int().min(0), sha256: hash }

/** `sha256` and `bytes` are those of all documents as BSON, concatenated in the order of `_id`. */
const savedCollection = z.strictObject({
  name: z.string(),
  ...stored,
  count: z.number().int().min(0),
  /** The options are canonical extended JSON, so that every number keeps its type. */
  options: z.string(),
  indexes: z.string(),
})
export type SavedCollection = z.output<typeof savedCollection>

const savedDatabase = z.strictObject({
  owner: z.enum(databaseOwners),
  /** The value is `<seconds>.<increment>` of the cluster's clock. Later writes are not in the backup. */
  clusterTime: z.string(),
  migrations: z.array(z.string()),
  collections: z.array(savedCollection),
})
export type SavedDatabase = z.output<typeof savedDatabase>

const savedObject = z.strictObject({
  key: z.string(),
  ...stored,
  contentType: z.string().nullable(),
  cacheControl: z.string().nullable(),
  contentDisposition: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
})
export type SavedObject = z.output<typeof savedObject>

const manifestBody = z.strictObject({
  product: z.literal('sumlock'),
  format: z.literal(1),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** This version of the product made the backup. */
  version: z.string(),
  keyId: z.string(),
  /** The value is a fingerprint of the peppers of PINs and codes; null when they were not set at the backup. */
  peppers: z.string().nullable(),
  databases: z.array(savedDatabase).length(databaseOwners.length),
  /** The value is null when no media bucket was configured. */
  bucket: z.strictObject({ objects: z.array(savedObject), vanished: z.number().int() }).nullable(),
  /** A local product attaches its `secrets.json`. */
  attachments: z.array(z.strictObject({ name: z.string(), ...stored })),
})
export type Manifest = z.output<typeof manifestBody>

const signed = z.strictObject({ mac: hash, manifest: z.string() })

/**
 * Writes the manifest with a MAC under the backup's key. Call it last, because a folder without a manifest is no
 * backup.
 */
export async function writeManifest({ folder, key }: BackupTask, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest, null, 1)
  const file = await open(join(folder, manifestName), 'wx', 0o600)
  await file.writeFile(JSON.stringify({ mac: mac(key, text), manifest: text }))
  await file.sync().finally(() => file.close())
}

/**
 * Reads and verifies the manifest. Throws when the key is another one, the file was changed, or it is no manifest of
 * this product and version.
 */
export async function readManifest({ folder, key }: BackupTask): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8')
  const { file, body } = parseSigned(text, folder)
  const { keyId } = body as { keyId?: unknown }
  if (typeof keyId === 'string' && keyId !== keyIdOf(key))
    throw new CommandRefusedError(
      `This backup was made with another key (${keyId}; yours is ${keyIdOf(key)}). Set BACKUP_KEY to the key it was made with.`,
    )
  if (mac(key, file.manifest) !== file.mac)
    throw new DamagedBackupError(`the manifest of ${folder} was changed`)
  const manifest = manifestBody.safeParse(body)
  if (!manifest.success)
    throw new CommandRefusedError(
      'This backup has a format that this version does not know. Restore it with the version that made it.',
    )
  return manifest.data
}

function parseSigned(text: string, folder: string) {
  try {
    const file = signed.parse(JSON.parse(text))
    return { file, body: JSON.parse(file.manifest) as object }
  } catch (error) {
    throw new DamagedBackupError(`the manifest of ${folder} is damaged or not of this product`, {
      cause: error,
    })
  }
}
