import mongoose from 'mongoose'
import type { Db, Timestamp } from './database.ts'
import { RefusedError } from './errors.ts'

const { BSON } = mongoose.mongo
const batchSize = 1000

/** Keeps the type of every number, so that a document can be written again unchanged. */
export const readExactly = (raw: Uint8Array) =>
  BSON.deserialize(raw, {
    promoteValues: false,
    promoteLongs: false,
    promoteBuffers: false,
    bsonRegExp: true,
  })

/**
 * The documents of a collection as BSON in the order of `_id`, as of `at` or of now. Throws for a document that a restore
 * could not write to the same bytes.
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
        throw new RefusedError(
          `${db.databaseName}.${name} has a document whose fields cannot be written again in their order: ${String(BSON.deserialize(raw)['_id'])}`,
        )
      yield Buffer.from(raw)
    }
  } catch (error) {
    throw explained(error, `${db.databaseName}.${name}`)
  }
}

function explained(error: unknown, where: string): unknown {
  const { codeName } = error as { codeName?: string }
  if (codeName === 'SnapshotTooOld')
    return new RefusedError(
      `${where} could not be read in time: MongoDB keeps a snapshot for 300 s. Raise its parameter minSnapshotHistoryWindowInSeconds above the duration of a backup.`,
      { cause: error },
    )
  if (codeName === 'SnapshotUnavailable')
    return new RefusedError(
      `${where} had its indexes or options changed during the backup, perhaps by a migration. Try again when that has ended.`,
      {
        cause: error,
      },
    )
  return error
}

/** Cuts a stream of BSON into its documents. */
export async function* splitDocuments(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  for await (const more of stream) {
    held = held.length === 0 ? more : Buffer.concat([held, more])
    let from = 0
    while (held.length - from >= 4) {
      const size = held.readInt32LE(from)
      if (size < 5) throw new RangeError(`a document cannot have ${size} bytes`)
      if (held.length - from < size) break
      yield held.subarray(from, from + size)
      from += size
    }
    held = held.subarray(from)
  }
  if (held.length > 0) throw new RangeError('the last document is cut short')
}
