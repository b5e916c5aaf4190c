import mongoose from 'mongoose'
import type { Db, Timestamp } from './database.ts'
import { CommandRefusedError } from './errors.ts'

const { BSON } = mongoose.mongo
const batchSize = 1000

/** Parses a document and keeps the type of every number, so that the document can be written again unchanged. */
export const readExactly = (raw: Uint8Array) =>
  BSON.deserialize(raw, {
    promoteValues: false,
    promoteLongs: false,
    promoteBuffers: false,
    bsonRegExp: true,
  })

/**
 * Yields the documents of a collection as BSON in the order of `_id`, as they were at `at`, or as they are now.
 * Throws for a document that a restore could not write with the same bytes.
 */
export async function* readCollection(db: Db, name: string, at?: Timestamp): AsyncGenerator<Buffer> {
  const readConcern = at ? { level: 'snapshot', atClusterTime: at } : { level: 'majority' }
  const command = { find: name, sort: { _id: 1 }, hint: { _id: 1 }, batchSize, readConcern }
  const documents = db.runCursorCommand(command, { raw: true })
  documents.setBatchSize(batchSize)
  try {
    for await (const document of documents) {
      const raw = document as unknown as Uint8Array
      if (!Buffer.from(BSON.serialize(readExactly(raw))).equals(raw))
        throw new CommandRefusedError(
          `${db.databaseName}.${name} cannot be saved, because it has a document whose fields cannot be written again in their order: ${String(BSON.deserialize(raw)['_id'])}`,
        )
      yield Buffer.from(raw)
    }
  } catch (error) {
    throw explained(error, `${db.databaseName}.${name}`)
  }
}

function explained(error: unknown, where: string): unknown {
  const { codeName } = error as { codeName?: string }
  const reasons: Record<string, string> = {
    SnapshotTooOld:
      'could not be read in time: MongoDB keeps a snapshot for 300 s. Raise its parameter minSnapshotHistoryWindowInSeconds above the duration of a backup.',
    SnapshotUnavailable:
      'had its indexes or options changed during the backup, perhaps by a migration. Try again when that has ended.',
  }
  const reason = codeName && reasons[codeName]
  return reason ? new CommandRefusedError(`${where} ${reason}`, { cause: error }) : error
}

/** Cuts a stream of BSON into documents. Each document starts with its length. */
export async function* splitDocuments(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  for await (const more of stream) {
    held = Buffer.concat([held, more])
    while (held.length >= 4 && held.length >= held.readInt32LE()) {
      const size = held.readInt32LE()
      yield held.subarray(0, size)
      held = held.subarray(size)
    }
  }
}

/** Returns the indexes of a collection, sorted by name, as canonical extended JSON. */
export async function indexesOf(db: Db, collection: string): Promise<string> {
  const cursor = db.collection(collection).listIndexes({ promoteValues: false })
  const byName = ((await cursor.toArray()) as { name: unknown }[]).sort((a, b) =>
    String(a.name) < String(b.name) ? -1 : 1,
  )
  return BSON.EJSON.stringify(byName, { relaxed: false })
}
