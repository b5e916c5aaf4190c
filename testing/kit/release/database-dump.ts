import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseName, databaseOwners } from '@sumlock/deployment/provision'
import mongoose from 'mongoose'
import type { Connection } from 'mongoose'

const { EJSON } = mongoose.mongo.BSON

interface DumpedCollection {
  indexes: { key: Record<string, 1 | -1>; name: string }[]
  documents: Record<string, unknown>[]
}

const fileOf = (folder: string, owner: string) => join(folder, `${owner}.json`)

/** Writes the documents and indexes of all four databases, one file per database. */
export async function dumpDatabases(mongoAdminUrl: string, namespace: string, folder: string): Promise<void> {
  await withAdmin(mongoAdminUrl, async (admin) => {
    for (const owner of databaseOwners) {
      const database = admin.useDb(databaseName(namespace, owner))
      const dump: Record<string, DumpedCollection> = {}
      for (const { name } of await database.listCollections()) {
        const collection = database.collection(name)
        const indexes = await collection.indexes()
        dump[name] = {
          indexes: indexes.filter((index) => index['name'] !== '_id_') as DumpedCollection['indexes'],
          documents: await collection.find().sort({ _id: 1 }).toArray(),
        }
      }
      await writeFile(fileOf(folder, owner), `${EJSON.stringify(dump, undefined, 1, { relaxed: false })}\n`)
    }
  })
}

/** Fills the four empty databases of a namespace with a dump. */
export async function loadDump(mongoAdminUrl: string, namespace: string, folder: string): Promise<void> {
  await withAdmin(mongoAdminUrl, async (admin) => {
    for (const owner of databaseOwners) {
      const database = admin.useDb(databaseName(namespace, owner))
      const dump = EJSON.parse(await readFile(fileOf(folder, owner), 'utf8')) as Record<
        string,
        DumpedCollection
      >
      for (const [name, { indexes, documents }] of Object.entries(dump)) {
        const collection = database.collection(name)
        if (documents.length > 0) await collection.insertMany(documents)
        if (indexes.length > 0) await collection.createIndexes(indexes)
      }
    }
  })
}

async function withAdmin(url: string, run: (admin: Connection) => Promise<void>): Promise<void> {
  const admin = await mongoose.createConnection(url).asPromise()
  try {
    await run(admin)
  } finally {
    await admin.close()
  }
}
