import { expect, test } from '@playwright/test'
import type { CDPSession, Route } from '@playwright/test'
import { openPair } from './person.ts'

const messages = Number(process.env['BENCH_MESSAGES'] ?? 5000)
const throttling = 4
// The number is large because the wait for the last message costs script time, too.
const incoming = 100
const keys = 40
const scrolls = 100
const pages = '**/api/conversations/*/messages?*'

const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))

/** Gives each message of a page a reaction, because a person cannot make thousands of them in a day. */
async function addReactions(route: Route): Promise<void> {
  const response = await route.fetch()
  const page = (await response.json()) as { senderId: string; id: string }[]
  const json = page.map((one) => ({
    ...one,
    reactions: [{ by: one.senderId, id: one.id, content: '👍' }],
  }))
  await route.fulfill({ response, json })
}

async function durations(session: CDPSession) {
  const { metrics } = await session.send('Performance.getMetrics')
  const ms = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? NaN)
  return {
    script: ms('ScriptDuration'),
    layout: ms('LayoutDuration') + ms('RecalcStyleDuration'),
    task: ms('TaskDuration'),
  }
}

/**
 * Measures the cost of one message and one typed key in a long conversation, with the processor slowed down to a
 * quarter.
 */
test('prints the cost of an incoming message and of a typed key', async ({ browser }, { project }) => {
  test.setTimeout(900_000)
  const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
  const { page } = ada
  const log = page.getByRole('log')
  const conversationId = page.url().split('/').at(-1)
  let sent = 0
  const { csrfToken } = (await (await ben.context.request.get('/api/csrf-token')).json()) as {
    csrfToken: string
  }
  const headers = { origin: new URL(page.url()).origin, 'x-csrf-token': csrfToken }
  const send = async () => {
    sent += 1
    const content = `Line ${sent} of a conversation that has become long`
    const data = { conversationId, clientMessageId: crypto.randomUUID(), messageType: 'text', content }
    const answer = await ben.context.request.post('/api/messages', { data, headers })
    expect(answer.status()).toBe(201)
  }
  // This message is sent alone, so that it is stored first.
  await send()
  while (sent < messages) {
    await Promise.all(Array.from({ length: Math.min(20, messages - sent) }, send))
    if (sent % 500 > 20) continue
    process.stdout.write(`${sent} messages sent\n`)
    // An idle page locks itself.
    await log.press('End')
  }
  await expect(log.getByText(`Line ${messages} of`, { exact: false })).toBeInViewport()

  // A person scrolls to the beginning and back.
  await log.press('Home')
  await expect(log.getByText('Line 1 of', { exact: false })).toBeInViewport()
  await log.press('End')
  await expect(log.getByText(`Line ${messages} of`, { exact: false })).toBeInViewport()

  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttling })
  const cost = async (count: number, work: () => Promise<void>) => {
    const before = await durations(session)
    await work()
    const after = await durations(session)
    const each = (name: keyof typeof before) => ((after[name] - before[name]) / count).toFixed(1)
    return `script ${each('script')} ms, layout and style ${each('layout')} ms, tasks ${each('task')} ms`
  }
  const message = await cost(incoming, async () => {
    for (let count = 0; count < incoming; count += 1) await send()
    await expect(log.getByText(`Line ${sent} of`, { exact: false })).toBeInViewport()
  })
  await page.getByLabel('Message', { exact: true }).focus()
  const key = await cost(keys, async () => {
    await page.keyboard.type('a'.repeat(keys))
    await page.evaluate(painted)
  })
  const steps: Record<string, string[]> = { without: [], with: [] }
  for (const reactions of ['without', 'with', 'without', 'with'] as const) {
    await page.unroute(pages)
    if (reactions === 'with') await page.route(pages, addReactions)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.reload()
    await expect(log.getByText(`Line ${sent} of`, { exact: false })).toBeInViewport()
    // Each press loads an earlier page.
    await expect(async () => {
      await log.press('Home')
      await expect(log.getByText('Line 1 of', { exact: false })).toBeInViewport({ timeout: 200 })
    }).toPass({ intervals: [0], timeout: 300_000 })
    await expect(log.getByRole('list', { name: 'Reactions' }).first()).toBeVisible({
      visible: reactions === 'with',
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttling })
    const scrolled = await cost(scrolls, async () => {
      for (let count = 0; count < scrolls; count += 1) {
        await log.press('PageDown')
        await page.evaluate(painted)
      }
    })
    steps[reactions]?.push(scrolled)
  }
  process.stdout.write(
    `${messages} messages, ${throttling} times slower: an incoming message ${message}; a typed key ${key}\n` +
      `a page scrolled without reactions: ${steps['without']?.join('; ')}\n` +
      `a page scrolled with a reaction to each message: ${steps['with']?.join('; ')}\n`,
  )
  for (const { context } of [ada, ben]) await context.close()
})
