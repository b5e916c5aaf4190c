import { openConversation } from './conversation-view.ts'
import { emptyConversation } from './known-messages.ts'
import { createOutbox } from './outbox.ts'
import type { OutboxEntry, OutgoingAct } from './ports.ts'
import { FakeClock } from './test-support/fake-clock.ts'
import { fakeLive } from './test-support/fake-live.ts'
import { CallError, FakeServer } from './test-support/fake-server.ts'
import { variable } from './test-support/variable.ts'
import { createVanishWatch } from './vanishing.ts'

const half = 30_000

function setUp() {
  const clock = new FakeClock()
  const server = new FakeServer()
  server.nowMs = clock.nowMs
  const api = server.apiOf('ann')
  let kept: readonly OutboxEntry[] = []
  const store = {
    load: () => Promise.resolve(kept),
    save: (items: readonly OutboxEntry[]) => Promise.resolve(void (kept = items)),
  }
  /** Opens a page, which finds what an earlier one has kept. */
  const openPage = () => {
    const outbox = createOutbox({ api, clock, store })
    const vanishing = createVanishWatch(clock, outbox)
    const { live } = fakeLive()
    const cell = variable(emptyConversation)
    const view = () =>
      openConversation({
        ...{ conversationId: 'c', userId: 'ann', cell, api, live, outbox, clock, vanishing, visible: true },
      })
    const close = () => {
      vanishing.close()
      outbox.close()
    }
    return { outbox, view, close }
  }
  const common = { conversationId: 'c', replaces: null }
  const editOf = (id: string): OutgoingAct => ({
    ...{ ...common, act: 'edit', clientMessageId: 'edit', target: { by: 'ann', id }, content: 'edited' },
  })
  const reactionTo = (id: string): OutgoingAct => ({
    ...{ ...common, act: 'reaction', clientMessageId: 'reaction', target: { by: 'bob', id }, content: '👍' },
  })
  return { clock, server, openPage, editOf, reactionTo, kept: () => kept }
}

const offline = () => Promise.reject(new CallError())

/** Both people have a message that vanishes, and the acts on them wait offline in a chat that is left then. */
async function actOffline({ clock, server, openPage, editOf, reactionTo }: ReturnType<typeof setUp>) {
  const mine = server.store('ann', { content: 'mine', vanishMs: half })
  const theirs = server.store('bob', { content: 'theirs', vanishMs: half })
  const page = openPage()
  const view = page.view()
  view.show(2)
  await clock.advance(5000)
  server.before = offline
  page.outbox.act(editOf(mine.clientMessageId))
  page.outbox.act(reactionTo(theirs.clientMessageId))
  view.close()
  await clock.advance(5000)
  return page
}

describe('an act that waits for a message which vanishes', () => {
  it('goes with the message, although its chat was left', async () => {
    const parts = setUp()
    await actOffline(parts)
    expect(parts.kept()).toHaveLength(2)
    await parts.clock.advance(half)
    expect(parts.kept()).toEqual([])
    parts.server.before = () => Promise.resolve()
    await parts.clock.advance(10 * half)
    for (const message of parts.server.stored) {
      expect(message).not.toHaveProperty('edit')
      expect(message).not.toHaveProperty('reactions')
    }
  })

  it('goes when a later page finds it', async () => {
    const parts = setUp()
    const { close } = await actOffline(parts)
    close()
    await parts.clock.advance(half)
    expect(parts.kept()).toHaveLength(2)
    parts.openPage()
    await parts.clock.advance(0)
    expect(parts.kept()).toEqual([])
  })

  it('stays while its message does', async () => {
    const parts = setUp()
    await actOffline(parts)
    await parts.clock.advance(half - 10_100)
    expect(parts.kept()).toHaveLength(2)
  })
})
