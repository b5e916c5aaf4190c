import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { decrypting, encrypting } from './cipher.ts'
import { DamagedBackupError } from './errors.ts'

/** The task describes the backup that is being made or restored. */
export interface BackupTask {
  /** The backup's files are in this folder. */
  folder: string
  key: Buffer
  progress: (text: string) => void
}

/** `bytes` and `sha256` are those of the file's content before compression and encryption. */
export interface StoredFile {
  file: string
  bytes: number
  sha256: string
}

type Source = AsyncIterable<Buffer> | Iterable<Buffer>

type Measure = Awaited<ReturnType<typeof measure>>

/** Yields the chunks of `source`, then returns their number, size and hash. */
async function* measuring(source: Source) {
  const hash = createHash('sha256')
  let chunks = 0
  let bytes = 0
  for await (const chunk of source) {
    hash.update(chunk)
    chunks += 1
    bytes += chunk.length
    yield chunk
  }
  return { chunks, bytes, sha256: hash.digest('hex') }
}

/** Reads `source` to its end and returns number, size and hash of its chunks. */
export async function measure(source: Source) {
  const steps = measuring(source)
  for (;;) {
    const { done, value } = await steps.next()
    if (done) return value
  }
}

/** Compresses and encrypts `source` into a new file that only its owner can read, and flushes it to the disk. */
export async function writeFileInto({ folder, key }: BackupTask, file: string, source: Source) {
  let measured: Measure | undefined
  async function* plain() {
    measured = yield* measuring(source)
  }
  const handle = await open(join(folder, file), 'wx', 0o600)
  try {
    await pipeline(
      Readable.from(plain(), { objectMode: false }),
      createGzip({ level: 1 }),
      encrypting(key, file),
      async (sealed: AsyncIterable<Buffer>) => {
        for await (const chunk of sealed) await handle.writeFile(chunk)
      },
    )
    await handle.sync()
  } finally {
    await handle.close()
  }
  const { chunks, bytes, sha256 } = measured as Measure
  return { stored: { file, bytes, sha256 }, chunks }
}

/**
 * Yields the decrypted bytes of a file. Throws a DamagedBackupError, at the end of the file at the latest, when they
 * differ from what was saved.
 */
export async function* readFileFrom(
  { folder, key }: BackupTask,
  { file, bytes, sha256 }: StoredFile,
): AsyncGenerator<Buffer> {
  if (!/^\w[\w.-]*$/.test(file))
    throw new DamagedBackupError(`the manifest has an invalid file name: ${file}`)
  const plain = createGunzip()
  // The error is ignored here, because reading `plain` throws the same one.
  pipeline(createReadStream(join(folder, file)), decrypting(key, file), plain).catch(() => undefined)
  let found: Measure
  try {
    found = yield* measuring(plain)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new DamagedBackupError(`${file} is missing`, { cause: error })
    if (code?.startsWith('Z_')) throw new DamagedBackupError(`${file}: ${message}`, { cause: error })
    throw error
  }
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new DamagedBackupError(`${file} does not hold what the manifest says`)
}
