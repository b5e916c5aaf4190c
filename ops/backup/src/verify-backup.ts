import { join } from 'node:path'
import { readFileFrom } from './backup-file.ts'
import { DamagedBackupError } from './errors.ts'
import { readManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { splitDocuments } from './read-collection.ts'

/** Reads the whole backup and throws unless it is unchanged. */
export async function verifyBackup(folder: string, name: string, key: Buffer): Promise<Manifest> {
  const path = join(folder, name)
  const manifest = await readManifest(path, key)
  if (manifest.name !== name)
    throw new DamagedBackupError(`${path} says it is ${manifest.name}: it was renamed or exchanged`)
  for (const { owner, collections } of manifest.databases)
    for (const collection of collections) {
      const count = await readFileFrom(path, collection, key, async (plain) => {
        let documents = 0
        for await (const _ of splitDocuments(plain)) documents += 1
        return documents
      })
      if (count !== collection.count)
        throw new DamagedBackupError(
          `${owner}.${collection.name} holds ${count} documents instead of ${collection.count}`,
        )
    }
  for (const stored of [...(manifest.bucket?.objects ?? []), ...manifest.attachments])
    await readFileFrom(path, stored, key, async (plain) => {
      for await (const _ of plain);
    })
  return manifest
}
