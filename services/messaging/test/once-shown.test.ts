import { listReports, reportConversation } from '@sumlock/contracts/conversation-state-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { someBytes, upload } from '@sumlock/testing/media'
import { adminPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { createSockets, nextEvent } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import { openingFriends } from './once.ts'

const empty = { content: '', messageType: 'image', isOnce: true }

let stack: RunningStack
const sockets = createSockets()
beforeAll(async () => {
  stack = await sharedStack()
})
afterAll(sockets.close)

const friends = (options?: { isSilent?: boolean }) => openingFriends(stack, options)

describe('a message that opens once', () => {
  it('is shown to its sender without content from the beginning, and to its recipient until it is opened', async () => {
    const { ann, ben, once, shown, open, sendOnce } = await friends()
    expect(once).toMatchObject({ ...empty, mediaUrl: null })
    for (const one of Object.values(await shown(ann))) {
      expect(one).toMatchObject(empty)
      for (const field of ['isOpened', 'vanishAt']) expect(one).not.toHaveProperty(field)
      expect(one?.mediaUrl ?? null).toBeNull()
    }
    const { message, preview, copy } = await shown(ben)
    const whole = { content: 'caption', messageType: 'image', mediaUrl: once.file, isOnce: true }
    for (const one of [message, preview]) expect(one).toMatchObject(whole)
    expect(copy).toMatchObject({ ...empty, mediaUrl: null })

    await open(ben, once)
    for (const person of [ann, ben])
      for (const one of Object.values(await shown(person))) {
        expect(one).toMatchObject({ ...empty, isOpened: true })
        expect(one?.mediaUrl ?? null).toBeNull()
        expect(one).not.toHaveProperty('isVanished')
      }
    const [live, atBen] = await Promise.all([sockets.open(ann), sockets.open(ben)])
    // An event of the first message may come late.
    const told = [live, atBen].map((one) =>
      nextEvent(one, ({ type, data }) => type === 'new_message' && data.id !== once.id),
    )
    const next = await sendOnce()
    expect(await Promise.all(told)).toMatchObject([
      { data: { id: next.id, ...empty, mediaUrl: null } },
      { data: { id: next.id, content: 'caption', mediaUrl: next.file, isOnce: true } },
    ])
  })

  it('tells both members of its opening once', async () => {
    const { ann, ben, once, open, changed, row, id } = await friends()
    const atAnn = nextEvent(await sockets.open(ann), ({ type }) => type === 'message_changed')
    await open(ben, once)
    await open(ben, once)
    expect(await atAnn).toMatchObject({ data: { conversationId: id, version: 1 } })
    for (const person of [ann, ben]) {
      expect(await changed(person, 0)).toMatchObject([{ ...empty, isOpened: true, version: 1 }])
      expect(await row(person)).toMatchObject({ version: 1 })
    }
  })

  it('looks the same to both after it is erased, and frees its bytes when the sender was told', async () => {
    const { ann, ben, once, open, shown, used, erase } = await friends()
    await open(ben, once)
    const before = [await shown(ann), await shown(ben)]
    await erase()
    expect([await shown(ann), await shown(ben)]).toEqual(before)
    await eventually(async () => expect(await used(ann)).toBe(0))
  })

  it('is answered in the same way when its original arrives again, whatever became of it', async () => {
    const { ann, ben, id, once, open, erase, mediaOf } = await friends({ isSilent: true })
    const again = async (mediaUrl: string, more: Partial<Pick<Message, 'isOnce' | 'messageType'>> = {}) => {
      const body = { conversationId: id, clientMessageId: once.clientMessageId, content: 'caption', mediaUrl }
      const { status, body: answer } = await ann.client.call(sendMessage, {
        body: { ...body, messageType: 'image', isOnce: true, ...more } as never,
      })
      return { status, answer }
    }
    const all = async () => {
      const file = new URL(await upload(ann.client, someBytes(10))).pathname
      const answers = [await again(once.file), await again(file)]
      return { answers, status: (await mediaOf({ ...once, file }))?.status }
    }
    const before = await all()
    const stored = { status: 200, answer: { ...empty, mediaUrl: null } }
    expect(before).toMatchObject({ answers: [stored, stored], status: 'bound' })
    const changedBody = { status: 409, answer: { code: 'client_message_id_reused' } }
    for (const more of [{ isOnce: undefined }, { messageType: 'voice' as const }])
      expect(await again(once.file, more as never)).toMatchObject(changedBody)
    await open(ben, once)
    expect(await all()).toEqual(before)
    await erase()
    expect(await all()).toEqual(before)
  })

  it('is taken back before and after it is opened', async () => {
    const { ann, ben, once, sendOnce, open, close, reads, unsend, history, rowOf, used } = await friends()
    expect(await unsend(ann, once)).toMatchObject({ status: 201, body: { isUnsent: true } })
    expect(await open(ben, once)).toMatchObject({ status: 404 })
    const second = await sendOnce()
    await open(ben, second)
    expect(await reads(ben, second)).toBe(200)
    expect(await unsend(ann, second)).toMatchObject({ status: 201, body: { isUnsent: true } })
    expect(await reads(ben, second)).toBe(404)
    expect(await open(ben, second)).toMatchObject({ status: 404 })
    expect(await close(ben, second)).toMatchObject({ status: 404 })
    for (const one of await history(ben)) {
      expect(one).toMatchObject({ content: '', messageType: 'text', isUnsent: true })
      for (const field of ['isOnce', 'isOpened', 'isVanished']) expect(one).not.toHaveProperty(field)
    }
    for (const field of ['isOnce', 'open', 'vanishAt']) expect(await rowOf(second)).not.toHaveProperty(field)
    await eventually(async () => expect(await used(ann)).toBe(0))
  })

  it('is neither edited nor reacted to', async () => {
    const { ann, ben, once, edit, react, open, changed } = await friends()
    const isRefused = { status: 409, body: { code: 'message_unsent' } }
    const all = async () => {
      expect(await edit(ann, once, 'edited')).toMatchObject({ ...isRefused, body: { message: empty } })
      for (const person of [ann, ben]) expect(await react(person, once, '👍')).toMatchObject(isRefused)
    }
    await all()
    expect(await changed(ben, 0)).toEqual([])
    await open(ben, once)
    await all()
  })

  it('is named in a report, without the text that is attached to it', async () => {
    const { ben, id, once } = await friends()
    const admin = await adminPerson(stack)
    const body = { messageIds: [once.id], contents: [{ id: once.id, text: 'says caption' }] }
    await ben.client.ok(reportConversation, { params: { id }, body })
    const found = (await admin.client.ok(listReports)).find(({ conversationId }) => conversationId === id)
    expect(found?.messages).toEqual([{ id: once.id }])
  })
})
