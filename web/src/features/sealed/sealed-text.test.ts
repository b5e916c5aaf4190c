import type { Message } from '@sumlock/contracts/messaging-routes'
import { systemClock } from '@sumlock/sync/system-clock'
import {
  browserOf,
  fakeKeyServer,
  newOwnKey,
  outgoing,
  publicKeyOf,
  storedOf,
} from '../../../test/sealed-people.ts'
import { offerCrypto } from '../../../test/offer-crypto.ts'
import type { OutgoingAct, OutgoingMessage } from '@sumlock/sync/ports'
import type { Edit } from '@sumlock/sync/shown-conversation'
import { waitFor } from '@testing-library/react'
import { messagesOf } from '../conversations/messaging-api.ts'
import { lookOf, textOf, withEdit } from './look.ts'
import type { Look } from './look.ts'

/** Two people with keys who have each other's keys. */
/** The clock of a page follows the server's with fractions. */
const clock = { ...systemClock, nowMs: () => Date.now() + 0.1234 }

async function pair() {
  const [annKey, benKey] = [await newOwnKey('ann'), await newOwnKey('ben')]
  const server = fakeKeyServer()
  const ann = browserOf('ann', [annKey], server)
  const ben = browserOf('ben', [benKey], server, { clock })
  await ann.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
  await ben.meet({ id: 'ann', keys: [publicKeyOf(annKey)] })
  return { ann, ben, annKey, benKey, server }
}
/** Accepts the key on the screen. */
async function accept({ text }: ReturnType<typeof browserOf>, isVerified?: boolean) {
  await text.prepareTrust('c')
  const trust = text.trust('c')
  const print = 'print' in trust ? trust.print : ''
  await text.accept('c', { print, ...(isVerified === undefined ? {} : { isVerified }) })
}
const textIn = (look: Look) => (look.state === 'open' ? look.body.t : look)
async function lookAt({ text }: ReturnType<typeof browserOf>, message: Message) {
  const [opened = message] = await text.openPage('c', [message])
  return lookOf(opened)
}

it('what one person seals is opened by both, and the sent content shows none of it', async () => {
  const { ann, ben } = await pair()
  const sent = await ann.text.prepare(outgoing('only for two'))
  expect(sent.sealed).toEqual({ v: 1, from: 1, to: 1 })
  expect(atob((sent.content ?? '').replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('only')
  for (const browser of [ann, ben])
    expect(textIn(await lookAt(browser, storedOf(1, 'ann', sent)))).toBe('only for two')
})

it('an answer names the newest message that its sender had', async () => {
  const { ann, ben } = await pair()
  const first = await ann.text.prepare(outgoing('one', 'k1'))
  await ben.text.openPage('c', [storedOf(1, 'ann', first)])
  const look = await lookAt(ann, storedOf(2, 'ben', await ben.text.prepare(outgoing('two', 'k2'))))
  expect(look).toMatchObject({ state: 'open', body: { after: { by: 'ann', id: 'k1' } } })
})

it('control characters and halves of characters are removed from what is sealed', async () => {
  const { ann, ben } = await pair()
  const sent = await ann.text.prepare(outgoing('a\u0000\u0007b\tc\nd\ud800'))
  expect(textIn(await lookAt(ben, storedOf(1, 'ann', sent)))).toBe('ab\tc\nd\ufffd')
})

describe('an edit', () => {
  const edit = (content: string, clientMessageId = 'e1'): OutgoingAct => ({
    ...{ conversationId: 'c', clientMessageId, act: 'edit', target: { by: 'ann', id: 'k1' } },
    ...{ replaces: null, content },
  })
  /** The message `k1` as the server stores it after the act. */
  const after = (sent: OutgoingMessage, act: OutgoingAct, change: Partial<Message> = {}) => {
    const { content = '', sealed } = act as Extract<OutgoingAct, { act: 'edit' }>
    const shown = { version: 1, edit: { id: act.clientMessageId, at: new Date().toISOString() } }
    return storedOf(1, 'ann', { ...sent, content, ...(sealed ? { sealed } : {}) }, { ...shown, ...change })
  }

  it('is sealed, and opened by both as the content of its message', async () => {
    const { ann, ben } = await pair()
    const sent = await ann.text.prepare(outgoing('one'))
    const act = await ann.text.prepareAct(edit('two\u0007'))
    expect(act).toMatchObject({ sealed: { v: 1, from: 1, to: 1 }, target: { by: 'ann', id: 'k1' } })
    for (const browser of [ann, ben]) expect(textIn(await lookAt(browser, after(sent, act)))).toBe('two')
  })

  it.each<[string, Partial<Message>]>([
    ['on another message', { clientMessageId: 'k2' }],
    ['under the name of the partner', { senderId: 'ben' }],
    ['as another act', { edit: { id: 'e2', at: new Date().toISOString() } }],
  ])('does not open %s', async (_where, change) => {
    const { ann, ben } = await pair()
    const sent = await ann.text.prepare(outgoing('one'))
    const act = await ann.text.prepareAct(edit('two'))
    expect(await lookAt(ben, after(sent, act, change))).toEqual({ state: 'closed', why: 'damaged' })
  })

  it('of a caption does not open without the file', async () => {
    const { ann, ben } = await pair()
    const file = { messageType: 'image', mediaUrl: '/api/objects/x' } as const
    const media = { key: 'k' }
    const sent = await ann.text.prepare({ ...outgoing('one'), ...file, content: 'one', media })
    const act = await ann.text.prepareAct({ ...edit('two'), media } as OutgoingAct)
    expect(textIn(await lookAt(ben, after(sent, act, file)))).toBe('two')
    const without = after(sent, act, { messageType: 'text', mediaUrl: null })
    expect(await lookAt(ben, without)).toEqual({ state: 'closed', why: 'damaged' })
  })

  it('does not open as a message of its own, nor a message as an edit', async () => {
    const { ann, ben } = await pair()
    const sent = await ann.text.prepare(outgoing('one'))
    const { edit: _edit, ...plain } = after(sent, await ann.text.prepareAct(edit('two')))
    expect(await lookAt(ben, plain)).toEqual({ state: 'closed', why: 'damaged' })
    const asEdit = storedOf(1, 'ann', sent, { edit: { id: 'k1', at: new Date().toISOString() } })
    expect(await lookAt(ben, asEdit)).toEqual({ state: 'closed', why: 'damaged' })
  })

  it('that has no answer yet is shown on the sealed message', async () => {
    const { ann } = await pair()
    const [stored = storedOf(1, 'ann', outgoing(''))] = await ann.text.openPage('c', [
      storedOf(1, 'ann', await ann.text.prepare(outgoing('one'))),
    ])
    const shown = withEdit(stored, edit('two') as Edit)
    expect(textOf(lookOf(shown), shown)).toBe('two')
  })

  it('of a caption stays plain without keys, and never leaves plain with keys, whatever the server says of its file', async () => {
    const { ann } = await pair()
    const caption: OutgoingAct = { ...edit('two'), isPlain: true } as OutgoingAct
    await expect(ann.text.prepareAct(caption)).rejects.toMatchObject({ status: 409 })
    const withoutKeys = browserOf('ann', [], fakeKeyServer())
    await withoutKeys.meet({ id: 'ben', keys: [] })
    expect(await withoutKeys.text.prepareAct(caption)).toBe(caption)
  })

  it('is what an unsend is not: that has nothing to seal', async () => {
    const { ann } = await pair()
    const unsend: OutgoingAct = { ...edit(''), act: 'unsend' }
    expect(await ann.text.prepareAct(unsend)).toBe(unsend)
  })
})

describe('a reaction', () => {
  const reaction = (content?: string): OutgoingAct => ({
    ...{ conversationId: 'c', clientMessageId: 'r1', act: 'reaction', target: { by: 'ann', id: 'k1' } },
    ...{ replaces: null, ...(content !== undefined && { content }) },
  })
  type Given = NonNullable<Message['reactions']>[number]
  /** The message as the server stores it after the reaction of Ben. */
  const after = (message: Message, act: OutgoingAct, change: Partial<Given> = {}): Message => {
    const { content = '', sealed } = act as Extract<OutgoingAct, { act: 'reaction' }>
    const given = { by: 'ben', id: act.clientMessageId, content, ...(sealed && { sealed }), ...change }
    return { ...message, version: 1, reactions: [given] }
  }
  const lookAtReaction = async ({ text }: ReturnType<typeof browserOf>, message: Message) => {
    const [opened = message] = await text.openPage('c', [message])
    return lookOf(opened.reactions?.[0] ?? {})
  }
  const message = storedOf(1, 'ann', outgoing('one'))
  const damaged = { state: 'closed', why: 'damaged' }

  it.each(['👍', '👩🏽‍❤️‍💋‍👨🏿', `e${'\u0301'.repeat(17)}`, '"'])(
    '%s is sealed with the same size as every other one, and opened by both on a plain message, too',
    async (emoji) => {
      const { ann, ben } = await pair()
      const act = await ben.text.prepareAct(reaction(emoji))
      expect(act).toMatchObject({ sealed: { v: 1, from: 1, to: 1 }, target: { by: 'ann', id: 'k1' } })
      expect((act as { content?: string }).content).toMatch(/^[\w-]{123}$/)
      for (const browser of [ann, ben])
        expect(textIn(await lookAtReaction(browser, after(message, act)))).toBe(emoji)
      const [shown] = await ann.text.openPage('c', [after(message, act)])
      expect(lookOf(shown ?? {})).toEqual({ state: 'plain' })
    },
  )

  it('is opened beside its sealed message', async () => {
    const { ann, ben } = await pair()
    const stored = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
    const both = after(stored, await ben.text.prepareAct(reaction('👍')))
    expect(textIn(await lookAt(ann, both))).toBe('one')
    expect(textIn(await lookAtReaction(ann, both))).toBe('👍')
  })

  it.each<[string, Partial<Message>, Partial<Given>]>([
    ['on another message', { clientMessageId: 'k2' }, {}],
    ['on a message of the other sender', { senderId: 'ben' }, {}],
    ['under the name of the other person', {}, { by: 'ann' }],
    ['as another act', {}, { id: 'r2' }],
  ])('does not open %s', async (_where, change, given) => {
    const { ann, ben } = await pair()
    const act = await ben.text.prepareAct(reaction('👍'))
    expect(await lookAtReaction(ann, after({ ...message, ...change }, act, given))).toEqual(damaged)
  })

  it('does not open as the content of its message, nor an edit as a reaction', async () => {
    const { ann, ben } = await pair()
    const { content, sealed } = (await ann.text.prepareAct(reaction('👍'))) as Extract<
      OutgoingAct,
      { act: 'reaction' }
    > & { content: string }
    const asEdit = {
      ...message,
      content,
      edit: { id: 'r1', at: message.createdAt },
      ...(sealed && { sealed }),
    }
    expect(await lookAt(ben, asEdit)).toEqual(damaged)
    const edit = { ...reaction('👍'), act: 'edit' } as OutgoingAct
    const act = await ben.text.prepareAct(edit)
    expect(await lookAtReaction(ann, after(message, act))).toEqual(damaged)
  })

  it.each(['ann', 'ben'])(
    'that is not sealed, beside a sealed message, is not shown as one of %s',
    async (by) => {
      const { ann } = await pair()
      const stored = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
      const forged = after(stored, reaction('👍'), { by, ...{ isPending: true } })
      expect(await lookAtReaction(ann, forged)).toEqual(damaged)
      expect(textIn(await lookAt(ann, forged))).toBe('one')
      const plain = after(message, reaction('👍'), { by })
      expect(await lookAtReaction(ann, plain)).toEqual({ state: 'plain' })
    },
  )

  it('that a changed client made of more than one character is not shown', async () => {
    const { ann, ben } = await pair()
    const act = await ben.text.prepareAct(reaction('a text'))
    expect(await lookAtReaction(ann, after(message, act))).toEqual(damaged)
  })

  it('stays plain without keys, and one that is taken back has nothing to seal', async () => {
    const withoutKeys = browserOf('ben', [], fakeKeyServer())
    await withoutKeys.meet({ id: 'ann', keys: [] })
    const plain = reaction('👍')
    expect(await withoutKeys.text.prepareAct(plain)).toBe(plain)
    const { ben, annKey } = await pair()
    await ben.text.prepareAct(plain)
    const removal = reaction()
    expect(await ben.text.prepareAct(removal)).toBe(removal)
    expect(annKey.epoch).toBe(1)
  })

  it('that waits for a key of the partner opens when the key comes', async () => {
    const { ann, benKey, annKey } = await pair()
    const act = await ann.text.prepareAct(reaction('👍'))
    const server = fakeKeyServer()
    const ben = browserOf('ben', [benKey], server)
    await ben.meet({ id: 'ann', keys: [] })
    await ben.receive([after(storedOf(1, 'ben', outgoing('one', 'k1')), act, { by: 'ann' })])
    const shown = () => {
      const [first] = messagesOf(ben.store.getState(), 'c')?.messages ?? []
      return lookOf(first?.reactions?.[0] ?? {})
    }
    expect(shown()).toEqual({ state: 'closed', why: 'waiting' })
    server.shownKeys = [publicKeyOf(annKey)]
    await ben.text.refreshKeys('c')
    await waitFor(() => expect(shown()).not.toMatchObject({ why: 'waiting' }))
  })
})

describe('the time after which a message vanishes', () => {
  const vanishMs = 86_400_000
  const target = { by: 'ann', id: 'k1' }
  const edit: OutgoingAct = {
    ...{ conversationId: 'c', clientMessageId: 'e1', act: 'edit', target, replaces: null, content: 'two' },
    vanishMs,
  }
  const both = async () => {
    const { ann, ben } = await pair()
    const sent = await ann.text.prepare({ ...outgoing('one'), vanishMs })
    const { content = '', sealed } = (await ann.text.prepareAct(edit)) as typeof edit
    const message = storedOf(1, 'ann', sent)
    const edited = { ...message, content, sealed, edit: { id: 'e1', at: message.createdAt } } as Message
    return { ben, message, edited }
  }

  it('belongs to the message and to its edits', async () => {
    const { ben, message, edited } = await both()
    expect(message.vanishMs).toBe(vanishMs)
    expect(textIn(await lookAt(ben, message))).toBe('one')
    expect(textIn(await lookAt(ben, edited))).toBe('two')
  })

  it.each([undefined, 30_000] as const)('cannot be changed to %s by a server', async (changed) => {
    const { ben, message, edited } = await both()
    for (const one of [message, edited])
      expect(await lookAt(ben, Object.assign({}, one, { vanishMs: changed }))).toEqual({
        state: 'closed',
        why: 'damaged',
      })
  })

  it('cannot be given to a message that stays', async () => {
    const { ann, ben } = await pair()
    const message = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')), { vanishMs })
    expect(await lookAt(ben, message)).toEqual({ state: 'closed', why: 'damaged' })
  })

  it('and the content of a message that has vanished is no sealed one any more', async () => {
    const { ben } = await both()
    const empty = storedOf(1, 'ann', outgoing(''), { vanishMs, isVanished: true })
    expect(await lookAt(ben, empty)).toEqual({ state: 'plain' })
  })
})

describe('a file that opens once', () => {
  const media = { key: 'k'.repeat(43), size: 3, thumb: 0, w: 1, h: 1 }
  const file = {
    conversationId: 'c',
    clientMessageId: 'k1',
    messageType: 'image',
    mediaUrl: '/api/objects/x',
    media,
  } as const
  const stored = async (change: { isOnce?: true }, shown: Partial<Message>) => {
    const { ann, ben } = await pair()
    const sent = await ann.text.prepare({ ...file, ...change })
    return lookAt(ben, storedOf(1, 'ann', sent, { messageType: 'image', mediaUrl: file.mediaUrl, ...shown }))
  }
  const changed = { state: 'closed', why: 'damaged' }

  it('opens as such', async () => {
    expect(await stored({ isOnce: true }, { isOnce: true })).toMatchObject({ state: 'open', body: { media } })
  })

  it('cannot be shown as one that stays', async () => {
    expect(await stored({ isOnce: true }, {})).toEqual(changed)
  })

  it('cannot be made of one that stays, nor of an edited one', async () => {
    expect(await stored({}, { isOnce: true })).toEqual(changed)
    const edit = { id: 'e1', at: new Date().toISOString() }
    expect(await stored({ isOnce: true }, { isOnce: true, edit })).toEqual(changed)
  })
})

describe('a message that was changed on its way does not open', () => {
  it.each<[string, (message: Message) => Partial<Message>]>([
    ['by another sender', () => ({ senderId: 'ben' })],
    ['by a stranger', () => ({ senderId: 'eve' })],
    ['under another id', () => ({ clientMessageId: 'k2' })],
    ['as another type', () => ({ messageType: 'image' })],
    ['with media', () => ({ mediaUrl: '/api/objects/x' })],
    ['with a changed character', ({ content }) => ({ content: `${content.slice(0, -3)}AAA` })],
    ['cut', ({ content }) => ({ content: content.slice(0, 100) })],
  ])('%s', async (_way, change) => {
    const { ann, ben } = await pair()
    const message = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
    const changed = { ...message, ...change(message) }
    expect(await lookAt(ben, changed)).toEqual({ state: 'closed', why: 'damaged' })
    // The unchanged message must still open.
    expect(textIn(await lookAt(ben, message))).toBe('one')
  })

  it('in another conversation', async () => {
    const { ann, ben, annKey } = await pair()
    await ben.meet({ id: 'ann', keys: [publicKeyOf(annKey)] }, { id: 'd' })
    const message = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
    const [opened = message] = await ben.text.openPage('d', [{ ...message, conversationId: 'd' }])
    expect(lookOf(opened)).toEqual({ state: 'closed', why: 'damaged' })
  })

  it('for another key of the sender', async () => {
    const { ann, ben, annKey, server } = await pair()
    const next = await newOwnKey('ann', 2)
    server.shownKeys = [publicKeyOf(annKey), publicKeyOf(next)]
    await ben.text.refreshKeys('c')
    const message = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
    const changed = { ...message, sealed: { v: 1 as const, from: 2, to: 1 } }
    expect(await lookAt(ben, changed)).toEqual({ state: 'closed', why: 'damaged' })
  })

  it('sealed by someone in between', async () => {
    const { annKey, benKey } = await pair()
    const eveKey = await newOwnKey('ann')
    const eve = browserOf('ann', [eveKey])
    await eve.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
    const ben = browserOf('ben', [benKey])
    await ben.meet({ id: 'ann', keys: [publicKeyOf(annKey)] })
    const forged = storedOf(1, 'ann', await eve.text.prepare(outgoing('I am Ann')))
    expect(await lookAt(ben, forged)).toEqual({ state: 'closed', why: 'damaged' })
  })

  it.each<[string, unknown]>([
    ['no time', { t: 'x' }],
    ['a text that is none', { t: 1, at: 1 }],
    ['a list', []],
    ['nothing', null],
    ['no text', { at: 1 }],
    ['a time that no date can hold', { t: 'x', at: -1e300 }],
  ])('with %s in its body', async (_what, body) => {
    const { annKey, benKey, ben } = await pair()
    const { conversationKey } = await import('@sumlock/sealing/conversation-key')
    const { sealMessage } = await import('@sumlock/sealing/message')
    const key = await conversationKey('c', annKey, { userId: 'ben', epoch: 1, pub: benKey.pub })
    const epochs = { from: 1, to: 1 }
    const envelope = {
      conversationId: 'c',
      senderId: 'ann',
      clientMessageId: 'k1',
      messageType: 'text',
      ...epochs,
    }
    const content = await sealMessage(key, envelope, body as never)
    const message = storedOf(1, 'ann', { ...outgoing(content), sealed: { v: 1, ...epochs } })
    expect(await lookAt(ben, message)).toEqual({ state: 'closed', why: 'damaged' })
  })
})

describe('a browser that cannot open a message says why', () => {
  const closed = (why: string) => ({ state: 'closed', why })

  it('without a key of its own', async () => {
    const { ann, annKey } = await pair()
    const message = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
    const ben = browserOf('ben', [])
    await ben.meet({ id: 'ann', keys: [publicKeyOf(annKey)] })
    expect(await lookAt(ben, message)).toEqual(closed('no-key'))
  })

  it('with a key whose box did not open', async () => {
    const { ann, annKey } = await pair()
    const message = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
    const ben = browserOf('ben', [], fakeKeyServer(), { lostEpochs: [1] })
    await ben.meet({ id: 'ann', keys: [publicKeyOf(annKey)] })
    expect(await lookAt(ben, message)).toEqual(closed('lost-key'))
  })

  it('sealed for its former key', async () => {
    const { ann, annKey } = await pair()
    const message = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
    const ben = browserOf('ben', [await newOwnKey('ben', 2)])
    await ben.meet({ id: 'ann', keys: [publicKeyOf(annKey)] })
    expect(await lookAt(ben, message)).toEqual(closed('former-key'))
  })

  it('before it has the key of the partner, which it requests once; then the message opens', async () => {
    const { ann, annKey, benKey } = await pair()
    const message = storedOf(1, 'ann', await ann.text.prepare(outgoing('one')))
    const ben = browserOf('ben', [benKey])
    await ben.meet({ id: 'ann', keys: [] })
    ben.server.shownKeys = []
    await ben.receive([message])
    expect(ben.shown()[0]).toEqual(closed('waiting'))
    await ben.receive([storedOf(2, 'ann', await ann.text.prepare(outgoing('two', 'k2')))])
    expect(ben.server.asked).toBe(1)
    let told = 0
    ben.text.subscribe(() => (told += 1))
    await new Promise<void>((resolve) => {
      ben.store.subscribe(() => {
        if (ben.shown()[0]?.state === 'open') resolve()
      })
      void ben.meet({ id: 'ann', keys: [publicKeyOf(annKey)] })
    })
    expect(told).toBeGreaterThan(0)
    expect(textIn(ben.shown()[0] as Look)).toBe('one')
  })
})

describe('the key that a message is sealed for', () => {
  it('the first message accepts the key of the partner, unseen by the server', async () => {
    const { ann, server } = await pair()
    await ann.text.prepareTrust('c')
    expect(ann.text.trust('c')).toMatchObject({ state: 'sealed', isNew: true, isVerified: false })
    await ann.text.prepare(outgoing('one'))
    expect(ann.text.trust('c')).toMatchObject({ state: 'sealed', isNew: false, isVerified: false })
    // The name is an HMAC, and the record is in its box.
    expect([...server.rows.keys()].join()).toMatch(/^ann [\w-]{43}$/)
    expect([...server.rows.values()][0]?.box).toMatch(/^[\w-]{100,}$/)
  })

  it('without a key of either side a message is sent as it is', async () => {
    const ann = browserOf('ann', [await newOwnKey('ann')])
    await ann.meet({ id: 'ben', keys: [] })
    expect(await ann.text.prepare(outgoing('one'))).toEqual(outgoing('one'))
    expect(ann.text.trust('c')).toEqual({ state: 'no-partner-key' })
    const other = browserOf('ann', [])
    await other.meet({ id: 'ben', keys: [publicKeyOf(await newOwnKey('ben'))] })
    expect(await other.text.prepare(outgoing('one'))).toEqual(outgoing('one'))
    expect(other.text.trust('c')).toEqual({ state: 'no-own-key', isLost: false })
  })

  it('another key of the partner waits for the person, and is used after that', async () => {
    const { ann, annKey, benKey, server } = await pair()
    await ann.text.prepare(outgoing('one'))
    const next = await newOwnKey('ben', 2)
    server.shownKeys = [publicKeyOf(benKey), publicKeyOf(next)]
    await ann.text.refreshKeys('c')
    await expect(ann.text.prepare(outgoing('two'))).rejects.toMatchObject({
      status: 409,
      code: 'keys_changed',
      message: 'ben’s security code changed.',
    })
    expect(ann.text.trust('c')).toMatchObject({ state: 'changed', wasVerified: false })
    await accept(ann)
    const sent = await ann.text.prepare(outgoing('two'))
    expect(sent.sealed).toEqual({ v: 1, from: 1, to: 2 })
    const ben = browserOf('ben', [next], server)
    await ben.meet({ id: 'ann', keys: [publicKeyOf(annKey)] })
    expect(textIn(await lookAt(ben, storedOf(1, 'ann', sent)))).toBe('two')
  })

  it('a verified code that changes is not verified any more, also once the new one is accepted', async () => {
    const { ann, benKey, server } = await pair()
    await accept(ann, true)
    expect(ann.text.trust('c')).toMatchObject({ state: 'sealed', isNew: false, isVerified: true })
    server.shownKeys = [publicKeyOf(benKey), publicKeyOf(await newOwnKey('ben', 2))]
    await ann.text.refreshKeys('c')
    await expect(ann.text.prepare(outgoing('two'))).rejects.toMatchObject({ code: 'keys_changed' })
    expect(ann.text.trust('c')).toMatchObject({ state: 'changed', wasVerified: true })
    await accept(ann)
    expect(ann.text.trust('c')).toMatchObject({ state: 'sealed', isNew: false, isVerified: false })
  })

  it('once a key was accepted, nothing is sent plain when the server shows none, in a later page either', async () => {
    const { ann, annKey, server } = await pair()
    await ann.text.prepare(outgoing('one'))
    const later = browserOf('ann', [annKey], server)
    await later.meet({ id: 'ben', keys: [] })
    await expect(later.text.prepare(outgoing('two'))).rejects.toMatchObject({ code: 'keys_missing' })
    expect(later.text.trust('c')).toEqual({ state: 'missing' })
  })

  it('nothing is sent while what was accepted cannot be read; the outbox tries again', async () => {
    const { annKey, benKey, server } = await pair()
    const ann = browserOf('ann', [annKey], server)
    await ann.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
    server.isDown = true
    const error: unknown = await ann.text.prepare(outgoing('one')).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toHaveProperty('status')
    server.isDown = false
    expect((await ann.text.prepare(outgoing('one'))).sealed).toBeDefined()
  })

  it('the server can neither change nor exchange a record of an accepted key', async () => {
    const { ann, annKey, benKey, server } = await pair()
    await accept(ann, true)
    const [name, row] = [...server.rows][0] as [string, { version: number; box: string }]
    const trustWith = async (version: number) => {
      server.rows.set(name, { ...row, version })
      const later = browserOf('ann', [annKey], server)
      await later.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
      await later.text.prepareTrust('c')
      return later.text.trust('c')
    }
    expect(await trustWith(row.version)).toMatchObject({ isVerified: true })
    // A changed record counts as another key, so nothing is accepted automatically.
    expect(await trustWith(row.version + 1)).toMatchObject({ state: 'changed', wasVerified: true })
  })

  it('of two devices that accept at once, the newer key and the comparison stay', async () => {
    const { annKey, benKey, server } = await pair()
    const devices = [browserOf('ann', [annKey], server), browserOf('ann', [annKey], server)]
    for (const device of devices) await device.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
    await Promise.all([accept(devices[0]!, true), accept(devices[1]!)])
    const later = browserOf('ann', [annKey], server)
    await later.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
    await later.text.prepareTrust('c')
    expect(later.text.trust('c')).toMatchObject({ isVerified: true })
  })

  it('a key that another device has accepted is not replaced by the first message of this one', async () => {
    const { annKey, benKey, server } = await pair()
    const false1 = await newOwnKey('ben', 1)
    const device = browserOf('ann', [annKey], server)
    await device.meet({ id: 'ben', keys: [publicKeyOf(false1)] })
    await device.text.prepareTrust('c')
    const other = browserOf('ann', [annKey], server)
    await other.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
    await accept(other, true)
    await expect(device.text.prepare(outgoing('one'))).rejects.toMatchObject({ code: 'keys_changed' })
    expect(device.text.trust('c')).toMatchObject({ state: 'changed', wasVerified: true })
  })

  it('a comparison can be taken back', async () => {
    const { ann } = await pair()
    await accept(ann, true)
    await accept(ann, false)
    expect(ann.text.trust('c')).toMatchObject({ state: 'sealed', isVerified: false })
  })

  it('a comparison counts for the key whose digits were shown, not for a newer one', async () => {
    const { ann, benKey, server } = await pair()
    const shown = await ann.text.safetyCode('c')
    server.shownKeys = [publicKeyOf(benKey), publicKeyOf(await newOwnKey('ben', 2))]
    await ann.text.refreshKeys('c')
    const accepted = ann.text.accept('c', { print: shown?.print ?? '', isVerified: true })
    await expect(accepted).rejects.toMatchObject({ code: 'keys_changed' })
    expect(ann.text.trust('c')).toMatchObject({ isVerified: false })
  })

  it('a send waits for the consent that is being stored', async () => {
    const { ann, benKey, server } = await pair()
    await accept(ann)
    server.shownKeys = [publicKeyOf(benKey), publicKeyOf(await newOwnKey('ben', 2))]
    await ann.text.refreshKeys('c')
    await ann.text.prepareTrust('c')
    const trust = ann.text.trust('c')
    const accepted = ann.text.accept('c', { print: 'print' in trust ? trust.print : '' })
    expect((await ann.text.prepare(outgoing('two'))).sealed?.to).toBe(2)
    await accepted
  })

  it('a message left from an earlier page waits until its conversation is known', async () => {
    const { annKey, benKey, server } = await pair()
    server.shownKeys = [publicKeyOf(benKey)]
    const ann = browserOf('ann', [annKey], server)
    const error: unknown = await ann.text.prepare(outgoing('one')).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toHaveProperty('status')
    await ann.meet({ id: 'ben', keys: [] })
    expect((await ann.text.prepare(outgoing('one'))).sealed).toEqual({ v: 1, from: 1, to: 1 })
  })

  it('on plain http everything is plain, and the composer can say so', async () => {
    const { benKey } = await pair()
    offerCrypto(null)
    const ann = browserOf('ann', [])
    await ann.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
    expect(await ann.text.prepare(outgoing('one'))).toEqual(outgoing('one'))
    await ann.text.prepareTrust('c')
    expect(ann.text.trust('c')).toEqual({ state: 'no-own-key', isLost: false })
    offerCrypto()
  })

  it('both see the same security code, and another one with a key put in between', async () => {
    const { ann, ben, benKey } = await pair()
    const code = await ann.text.safetyCode('c')
    expect(code?.groups).toHaveLength(12)
    expect((await ben.text.safetyCode('c'))?.groups).toEqual(code?.groups)
    const betrayed = browserOf('ben', [benKey])
    await betrayed.meet({ id: 'ann', keys: [publicKeyOf(await newOwnKey('ann'))] })
    expect((await betrayed.text.safetyCode('c'))?.groups).not.toEqual(code?.groups)
  })
})

it('a page of fifty messages is opened before it is shown', async () => {
  const { ann, ben } = await pair()
  const messages: Message[] = []
  for (let seq = 1; seq <= 50; seq += 1)
    messages.push(storedOf(seq, 'ann', await ann.text.prepare(outgoing(`no. ${seq}`, `k${seq}`))))
  const opened = await ben.text.openPage('c', messages)
  expect(opened.map((message) => textIn(lookOf(message)))).toEqual(messages.map(({ seq }) => `no. ${seq}`))
})
