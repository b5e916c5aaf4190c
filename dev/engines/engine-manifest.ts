import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Entry {
  path: string
  size: number
  mtimeMs: number
  sha256: string
}

const manifestIn = (folder: string) => join(folder, 'whole.json')

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** Lists the files of a folder with their hashes, after all of them have reached the disk. */
export async function writeManifest(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const entries = await Promise.all(
    files.map(async (file): Promise<Entry> => {
      await flush(file)
      const { size, mtimeMs } = await stat(file)
      return { path: file.slice(folder.length + 1), size, mtimeMs, sha256: await sha256Of(file) }
    }),
  )
  await writeFile(manifestIn(folder), JSON.stringify(entries, null, 1))
  await flush(manifestIn(folder))
}

/** Whether a folder holds all files of its manifest, unchanged. Hashes only those whose modification time differs. */
export async function isWhole(folder: string): Promise<boolean> {
  try {
    const entries = JSON.parse(await readFile(manifestIn(folder), 'utf8')) as Entry[]
    const same = await Promise.all(
      entries.map(async ({ path, size, mtimeMs, sha256 }) => {
        const found = await stat(join(folder, path))
        if (found.size !== size) return false
        return found.mtimeMs === mtimeMs || (await sha256Of(join(folder, path))) === sha256
      }),
    )
    return same.every(Boolean)
  } catch {
    return false
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
