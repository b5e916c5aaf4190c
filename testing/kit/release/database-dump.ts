import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseOwners } from '@sumlock/deployment/provision'
import mongoose from 'mongoose'
import { withDatabase } from '../database.ts'

const { EJSON } = mongoose.mongo.BSON

interface DumpedCollection {
  indexes: { key: Record<string, 1 | -1>; name: string }[]
  documents: Record<string, unknown>[]
}

type Product = Parameters<typeof withDatabase>[0]

const fileOf = (folder: string, owner: string) => join(folder, `${owner}.json`)

/** Writes the documents and indexes of all four databases, one file per database. */
export async function dumpDatabases(product: Product, folder: string): Promise<void> {
  for (const owner of databaseOwners) {
    const dump: Record<string, DumpedCollection> = {}
    await withDatabase(product, owner, async (database) => {
      for (const { name } of await database.listCollections()) {
        const collection = database.collection(name)
        const indexes = (await collection.indexes()) as DumpedCollection['indexes']
        dump[name] = {
          indexes: indexes.filter((index) => index.name !== '_id_'),
          documents: await collection.find().sort({ _id: 1 }).toArray(),
        }
      }
    })
    await writeFile(fileOf(folder, owner), `${EJSON.stringify(dump, undefined, 1, { relaxed: false })}\n`)
  }
}

/** Fills the four empty databases with a dump. */
export async function loadDump(product: Product, folder: string): Promise<void> {
  for (const owner of databaseOwners) {
    const text = await readFile(fileOf(folder, owner), 'utf8')
    const dump = EJSON.parse(text) as Record<string, DumpedCollection>
    await withDatabase(product, owner, async (database) => {
      for (const [name, { indexes, documents }] of Object.entries(dump)) {
        const collection = database.collection(name)
        if (documents.length > 0) await collection.insertMany(documents)
        if (indexes.length > 0) await collection.createIndexes(indexes)
      }
    })
  }
}
