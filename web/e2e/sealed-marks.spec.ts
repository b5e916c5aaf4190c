import { expect, test } from '@playwright/test'
import { backedUp, placesWith, recordRedis } from '@sumlock/testing/search-marks'
import { sharedStack } from '@sumlock/testing/shared-stack'
import {
  canReadProcesses,
  countInProcesses,
  heapOf,
  privateKeyOf,
  storageOf,
  textsOf,
} from './lock-memory.ts'
import { callApi, openPair, pressKeys, send } from './person.ts'
import { storedEntries } from './stored-entries.ts'

const mark = (name: string) => `${name}${Math.random().toString(36).slice(2)}`

test(
  'what two browsers write is found in no database, topic, log, backup or Redis command',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const stack = await sharedStack()
    const redis = await recordRedis(stack)
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const id = ada.page.url().split('/').at(-1) as string
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    const [question, answer, draft, plain] = ['question', 'answer', 'draft', 'plain'].map(mark) as [
      string,
      string,
      string,
      string,
    ]
    const shows = (page: typeof ada.page, text: string) =>
      expect(page.getByRole('log').getByText(text)).toBeVisible()

    await send(ada, question)
    await shows(ben.page, question)
    await send(ben, answer)
    await shows(ada.page, answer)
    await ada.page.getByLabel('Message', { exact: true }).fill(draft)
    await callApi(ada, '/api/messages', { conversationId: id, content: plain })
    await shows(ben.page, plain)

    // The search finds a text that an API client wrote unsealed.
    await expect
      .poll(() => placesWith(stack, plain, redis))
      .toEqual(expect.arrayContaining(['messaging.messages', 'topic messaging.messages', 'redis']))
    const backup = await backedUp(stack)
    expect(backup.includes(plain)).toBe(true)
    for (const secret of [question, answer, draft]) {
      expect(await placesWith(stack, secret, redis)).toEqual([])
      expect(backup.includes(secret)).toBe(false)
    }
    redis.close()
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)

test(
  'a lock leaves nothing that opens a message: no key in the storage or the memory, and no text',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const kept = () => page.evaluate(() => localStorage.getItem('calc.k'))
    const parts = ['nothing', 'left', 'of', 'this'] as const
    await send(ada, parts.join('-'))
    await expect(page.getByRole('log').getByText('sent')).toBeVisible()
    const key = await privateKeyOf(ada)
    const copy = (await kept()) ?? ''
    expect(copy).toMatch(/^[\w-]{100,}$/)
    // The searches find content that is certainly there.
    expect(await storageOf(page)).toContain(copy)
    expect(await heapOf(page)).toContain(parts.join('-'))
    if (canReadProcesses) expect(await countInProcesses(browser, key)).toBeGreaterThan(0)

    await page.goto('/')
    await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
    await expect.poll(kept).toBeNull()
    // There is always one sealed entry of unsent text, even if there is no such text.
    const entries = await storedEntries(page)
    expect(entries.map(({ bytes }) => bytes.length)).toEqual([65_536])
    const storage = (await storageOf(page)) + entries.map(({ bytes }) => bytes).join('')
    const heap = await heapOf(page)
    expect(heap.length).toBeGreaterThan(100_000)
    expect(heap.includes(parts.join('-'))).toBe(false)
    for (const text of [copy, ...textsOf(key)]) {
      expect(storage.includes(text)).toBe(false)
      expect(heap.includes(text)).toBe(false)
    }
    // Blink frees the handle of the key after the collection.
    if (canReadProcesses) await expect.poll(() => countInProcesses(browser, key)).toBe(0)

    await pressKeys(page, `${ada.pin}=`)
    await expect(page.getByText(`You: ${parts.join('-')}`)).toBeVisible()
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)
