import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import type { UnlockedKeys } from '@sumlock/contracts/identity-routes'
import { fromBase64Url } from '@sumlock/sealing/bytes'
import { stretch, unbox } from '@sumlock/sealing/own-key'
import { callApi } from './person.ts'
import type { Visitor } from './person.ts'

/** The position of the secret number in the PKCS#8 form of a P-256 key. */
const scalar = [36, 68] as const

/** Opens the private key of an unlocked person outside the browser: 32 bytes. */
export async function privateKeyOf(visitor: Visitor): Promise<Buffer> {
  const { id: userId } = (await (await visitor.context.request.get('/api/user')).json()) as { id: string }
  const numericPassword = visitor.pin
  const answer = await callApi<UnlockedKeys>(visitor, '/api/verify-numeric-password', { numericPassword })
  const [{ epoch, n, pub, box } = { epoch: 0, n: 0, pub: '', box: '' }] = answer.identities
  const stored = { userId, epoch, n, pub: fromBase64Url(pub), box: fromBase64Url(box) }
  const share = fromBase64Url(answer.keyShares[0]?.share ?? '')
  return Buffer.from(await unbox(stored, await stretch(visitor.pin, userId, n), share)).subarray(...scalar)
}

/**
 * Returns the parts that any text with these bytes contains. In PKCS#8, too, base64 starts a new group of characters
 * with them.
 */
export function textsOf(key: Buffer): string[] {
  const whole = key.subarray(0, 30)
  return [whole.toString('base64'), whole.toString('base64url'), key.toString('hex'), key.join()]
}

/** Returns everything that a page stores on the device, except databases. */
export const storageOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const cached: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        cached.push(request.url, (await (await cache.match(request))?.text()) ?? '')
    }
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, cached])
  })

/** Returns all strings and objects of a page after a forced collection. */
export async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  let snapshot = ''
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => (snapshot += chunk))
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return snapshot
}

/** Only root can read the memory of other processes, and only on Linux. */
export const canReadProcesses = process.platform === 'linux' && process.getuid?.() === 0

/** Counts the copies of the key in the memory of the browser's processes: as bytes in either order, or in a text. */
export async function countInProcesses(browser: Browser, key: Buffer): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const needles = [key, Buffer.from(key).reverse(), ...textsOf(key).map((text) => Buffer.from(text))]
  let count = 0
  for (const { id } of processInfo)
    for await (const memory of memoryOf(id))
      for (const needle of needles)
        for (let at = memory.indexOf(needle); at >= 0; at = memory.indexOf(needle, at + 1)) count += 1
  return count
}

const pageBytes = 4096
/** /proc/<id>/pagemap has eight bytes for each page. The two highest bits of the last byte mean memory or swap. */
const isPresent = (entries: Buffer, page: number) => ((entries[8 * page + 7] ?? 0) & 0xc0) !== 0

/** Yields the written private memory of a process in runs of pages. */
async function* memoryOf(id: number): AsyncGenerator<Buffer> {
  await using memory = await open(`/proc/${id}/mem`)
  await using pages = await open(`/proc/${id}/pagemap`)
  // A mapping that no longer exists is read as empty.
  const read = async (file: FileHandle, from: number, size: number) => {
    const { buffer, bytesRead } = await file
      .read(Buffer.allocUnsafe(size), 0, size, from)
      .catch(() => ({ buffer: Buffer.alloc(0), bytesRead: 0 }))
    return buffer.subarray(0, bytesRead)
  }
  for (const [, from = '', to = ''] of readFileSync(`/proc/${id}/maps`, 'utf8').matchAll(
    /^(\w+)-(\w+) rw.p/gm,
  )) {
    const [first, last] = [parseInt(from, 16) / pageBytes, parseInt(to, 16) / pageBytes]
    const entries = await read(pages, 8 * first, 8 * (last - first))
    for (let page = 0, start = 0; page <= last - first; page += 1) {
      if (isPresent(entries, page)) continue
      if (page > start) yield await read(memory, (first + start) * pageBytes, (page - start) * pageBytes)
      start = page + 1
    }
  }
}
