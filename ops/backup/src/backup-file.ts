import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { fileIn } from './backup-folder.ts'
import { decrypting, encrypting } from './cipher.ts'
import type { Step } from './cipher.ts'
import { DamagedBackupError } from './errors.ts'

/** Size and hash of the plain content of a file in a backup. */
export interface Written {
  file: string
  bytes: number
  sha256: string
}

/** Counts and hashes the bytes that pass through `step`. */
function measuring(): { step: Step; result(): { bytes: number; sha256: string } } {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    async *step(source) {
      for await (const chunk of source) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    result: () => ({ bytes, sha256: hash.copy().digest('hex') }),
  }
}

/** Compresses and encrypts a stream into a new file that only its owner can read, and flushes it to the disk. */
export async function writeFileInto(
  folder: string,
  file: string,
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  key: Buffer,
): Promise<Written> {
  const measure = measuring()
  const handle = await open(join(folder, file), 'wx', 0o600)
  try {
    await pipeline(
      Readable.from(source, { objectMode: false }),
      measure.step,
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
  return { file, ...measure.result() }
}

/** Passes the plain bytes of a file to `use`, and throws unless all of them are as they were written. */
export async function readFileFrom<T>(
  folder: string,
  { file, bytes, sha256 }: Written,
  key: Buffer,
  use: (plain: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const measure = measuring()
  const path = fileIn(folder, file)
  let result: { value: T } | undefined
  try {
    await pipeline(
      createReadStream(path),
      decrypting(key, file),
      createGunzip(),
      measure.step,
      async (plain: AsyncIterable<Buffer>) => {
        result = { value: await use(plain) }
      },
    )
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new DamagedBackupError(`${file} is missing`, { cause: error })
    if (code?.startsWith('Z_')) throw new DamagedBackupError(`${file}: ${message}`, { cause: error })
    throw error
  }
  const found = measure.result()
  if (!result || found.bytes !== bytes || found.sha256 !== sha256)
    throw new DamagedBackupError(`${file} does not hold what the manifest says`)
  return result.value
}
