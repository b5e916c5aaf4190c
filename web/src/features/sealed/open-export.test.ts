import { conversationKey } from '@sumlock/sealing/conversation-key'
import { sealAct } from '@sumlock/sealing/act'
import { sealMessage } from '@sumlock/sealing/message'
import { browserOf, newOwnKey, publicKeyOf } from '../../../test/sealed-people.ts'
import { openExport } from './open-export.ts'

it('an export opens and marks what was edited, and marks what was taken back, vanishes or has vanished', async () => {
  const [annKey, benKey] = [await newOwnKey('ann'), await newOwnKey('ben')]
  const ann = browserOf('ann', [annKey])
  await ann.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
  ann.server.shownKeys = [publicKeyOf(benKey)]
  const at = '2026-11-23T00:00:00.000Z'
  const epochs = { from: 1, to: 1 }
  const key = await conversationKey('c', annKey, { userId: 'ben', epoch: 1, pub: benKey.pub })
  const target = { by: 'ann', id: 'k1' }
  const header = {
    conversationId: 'c',
    personId: 'ann',
    act: 'edit' as const,
    actId: 'e1',
    target,
    ...epochs,
  }
  const content = await sealAct(key, header, { t: 'corrected', at: 1 })
  const vanishMs = 30_000
  const vanishing = await sealAct(key, { ...header, vanishMs }, { t: 'soon gone', at: 1 })
  const common = { sentByMe: true, messageType: 'text' as const, mediaUrl: null, createdAt: at }
  const [exported] = await openExport(
    [
      {
        conversationId: 'c',
        with: 'ben',
        messages: [
          { ...common, content, clientMessageId: 'k1', sealed: { v: 1, ...epochs }, edit: { id: 'e1', at } },
          { ...common, content: '', clientMessageId: 'k2', isUnsent: true },
          {
            ...common,
            ...{ content: vanishing, clientMessageId: 'k1', vanishMs },
            ...{ sealed: { v: 1, ...epochs }, edit: { id: 'e1', at } },
          },
          { ...common, content: '', clientMessageId: 'k3', isVanished: true },
        ],
      },
    ],
    ann.text,
    'ann',
  )
  expect(exported).toMatchObject({
    messages: [
      { content: 'corrected', isEdited: true, encrypted: true },
      { content: '', isUnsent: true },
      { content: 'soon gone', vanishMs, encrypted: true },
      { content: '', isVanished: true },
    ],
  })
})

it('an export opens reactions, says whose they are, and leaves out those that were taken back', async () => {
  const [annKey, benKey] = [await newOwnKey('ann'), await newOwnKey('ben')]
  const ann = browserOf('ann', [annKey])
  await ann.meet({ id: 'ben', keys: [] })
  ann.server.shownKeys = [publicKeyOf(benKey)]
  const epochs = { from: 1, to: 1 }
  const sealed = { v: 1 as const, ...epochs }
  const key = await conversationKey('c', benKey, { userId: 'ann', epoch: 1, pub: annKey.pub })
  const header = { conversationId: 'c', personId: 'ben', act: 'reaction' as const, actId: 'r1', ...epochs }
  const content = await sealAct(key, { ...header, target: { by: 'ann', id: 'k1' } }, { t: '😮', at: 1 })
  const message = {
    ...{
      sentByMe: true,
      messageType: 'text' as const,
      mediaUrl: null,
      createdAt: '2026-11-23T00:00:00.000Z',
    },
    ...{ content: 'plain', clientMessageId: 'k1' },
  }
  const taken = [{ by: 'ben', id: 'r2', content: '' }]
  const own = [
    { by: 'ann', id: 'r0', content: '👍' },
    { by: 'ben', id: 'r1', content, sealed },
  ]
  const [exported] = await openExport(
    [
      {
        conversationId: 'c',
        with: 'ben',
        messages: [
          { ...message, reactions: own },
          { ...message, clientMessageId: 'k2', reactions: taken },
        ],
      },
    ],
    ann.text,
    'ann',
  )
  expect(exported).toMatchObject({
    messages: [
      {
        content: 'plain',
        reactions: [
          { byMe: true, emoji: '👍' },
          { byMe: false, emoji: '😮' },
        ],
      },
      { content: 'plain', reactions: [] },
    ],
  })
})

it('an export says which message a reply answers, also one of another page, and null where it has none', async () => {
  const [annKey, benKey] = [await newOwnKey('ann'), await newOwnKey('ben')]
  const ann = browserOf('ann', [annKey])
  await ann.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
  ann.server.shownKeys = [publicKeyOf(benKey)]
  const epochs = { from: 1, to: 1 }
  const key = await conversationKey('c', annKey, { userId: 'ben', epoch: 1, pub: benKey.pub })
  const text = { messageType: 'text' as const, mediaUrl: null }
  const replyTo = async (by: string, id: string, clientMessageId: string) => {
    const header = { conversationId: 'c', senderId: 'ann', clientMessageId, messageType: 'text', ...epochs }
    const content = await sealMessage(key, header, { t: 'yes', at: 1, re: { by, id, seq: 1 } })
    const createdAt = '2026-11-23T00:00:02.000Z'
    return {
      ...text,
      sentByMe: true,
      createdAt,
      content,
      clientMessageId,
      sealed: { v: 1 as const, ...epochs },
    }
  }
  /** Both people may use one id. */
  const same = { ...text, content: 'plain', clientMessageId: 'k1' }
  const page = { conversationId: 'c', with: 'ben' }
  const exported = await openExport(
    [
      {
        ...page,
        messages: [
          { ...same, sentByMe: true, createdAt: '2026-11-23T00:00:00.000Z' },
          { ...same, sentByMe: false, createdAt: '2026-11-23T00:00:01.000Z' },
        ],
      },
      { ...page, messages: [await replyTo('ben', 'k1', 'k2'), await replyTo('ben', 'gone', 'k3')] },
      {
        ...page,
        conversationId: 'other',
        messages: [
          { ...same, clientMessageId: 'gone', sentByMe: false, createdAt: '2026-11-23T00:00:00.000Z' },
        ],
      },
    ],
    ann.text,
    'ann',
  )
  expect(exported[1]).toMatchObject({
    messages: [
      { content: 'yes', answers: { sentByMe: false, createdAt: '2026-11-23T00:00:01.000Z' } },
      { content: 'yes', answers: null },
    ],
  })
  expect(JSON.stringify(exported[0])).not.toContain('answers')
})
