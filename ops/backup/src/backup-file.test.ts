import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { measure, readFileFrom, writeFileInto } from './backup-file.ts'
import type { BackupTask } from './backup-file.ts'
import { encrypting } from './cipher.ts'
import { DamagedBackupError } from './errors.ts'

let task: BackupTask

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-file-'))
  task = { folder, key: Buffer.from('ab'.repeat(32), 'hex'), progress: () => undefined }
})
afterEach(() => rm(task.folder, { recursive: true }))

/** A file and its entry in the manifest, as the first version 0.1.0 wrote them. */
const old = {
  content:
    'jOB/8uBfM5BG4Kjr3wJan1MVBETPwBFKDnYB3zF+LakXXNqHGGQG81gcZ2dF6gTQc9s/OS0LrRPKMuiUoYVr2f0lm73RW350E+AYnQ==',
  stored: {
    file: 'object-00000001.enc',
    bytes: 24,
    sha256: 'b1b528042e68969fefda4da7f29c715d982dced2ec814182ae6a22ab3cd64c86',
  },
}

it('reads a file of an existing backup', async () => {
  await writeFile(join(task.folder, old.stored.file), Buffer.from(old.content, 'base64'))
  expect(String(await buffer(readFileFrom(task, old.stored)))).toBe('kept since version 0.1.0')
})

it('reads what it wrote, and counts the chunks', async () => {
  const chunks = [randomBytes(300_000), randomBytes(7)]
  const { stored, chunks: count } = await writeFileInto(task, 'a.enc', chunks)
  expect(count).toBe(2)
  expect((await buffer(readFileFrom(task, stored))).equals(Buffer.concat(chunks))).toBe(true)
})

it('refuses a whole file that is not the one of the manifest', async () => {
  const { stored } = await writeFileInto(task, 'a.enc', [Buffer.from('of today')])
  const other = { ...stored, sha256: old.stored.sha256 }
  await expect(buffer(readFileFrom(task, other))).rejects.toThrow(
    'a.enc does not hold what the manifest says',
  )
})

it('refuses a file that is missing, and one that is encrypted but not compressed', async () => {
  await expect(buffer(readFileFrom(task, old.stored))).rejects.toThrow('object-00000001.enc is missing')
  const { file } = old.stored
  await writeFile(join(task.folder, file), encrypting(task.key, file)(Readable.from([Buffer.from('plain')])))
  await expect(buffer(readFileFrom(task, old.stored))).rejects.toThrow(DamagedBackupError)
})

it('measures chunks, bytes and hash of a source', async () => {
  const sha256 = createHash('sha256').update('abc').digest('hex')
  expect(await measure([Buffer.from('a'), Buffer.from('bc')])).toEqual({ chunks: 2, bytes: 3, sha256 })
})

it.each(['../a.enc', '.hidden', 'a/b.enc'])('refuses the file name %s', async (file) => {
  await expect(buffer(readFileFrom(task, { ...old.stored, file }))).rejects.toThrow('invalid file name')
})

it('rejects with the error of a source that fails', async () => {
  async function* failing() {
    yield Buffer.from('some')
    await Promise.resolve()
    throw new Error('the store is gone')
  }
  await expect(writeFileInto(task, 'a.enc', failing())).rejects.toThrow('the store is gone')
})
