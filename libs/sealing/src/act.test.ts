import { createDecipheriv } from 'node:crypto'
import vectors from '../test/vectors.json' with { type: 'json' }
import { importAesKey } from './aes.ts'
import { openAct, sealAct } from './act.ts'
import type { ActHeader } from './act.ts'
import { fields } from './bytes.ts'
import { conversationKey } from './conversation-key.ts'
import { openMessage } from './message.ts'
import type { MessageHeader } from './message.ts'
import { importKey } from './own-key.ts'

type Person = (typeof vectors.people)[number]
const [ann, ben] = vectors.people as [Person, Person]
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const publicOf = (person: Person) => ({ ...person, pub: bytes(person.pub), box: bytes(person.box) })
const keyOf = async (own: Person, other: Person) =>
  conversationKey(vectors.conversationId, await importKey(publicOf(own), bytes(own.pkcs8)), publicOf(other))

const acts = vectors.acts as { header: ActHeader; body: { at: number }; content: string }[]
const [edit] = acts as [(typeof acts)[number]]

it.each(acts)(
  'opens act $header.actId of the fixed vectors on both sides',
  async ({ header, body, content }) => {
    expect(await openAct(await keyOf(ann, ben), header, content)).toEqual(body)
    expect(await openAct(await keyOf(ben, ann), header, content)).toEqual(body)
  },
)

it('authenticates the label act/v1 and the fields of its header in their order', async () => {
  const raw = new Uint8Array(32).fill(7)
  const { header, body } = edit
  const content = bytes(await sealAct(await importAesKey(raw), header, body))
  const { conversationId, personId, act, actId, target, from, to } = header
  const data = fields('act/v1', conversationId, personId, act, actId, target.by, target.id, from, to)
  const decipher = createDecipheriv('aes-256-gcm', raw, content.subarray(0, 12))
  decipher.setAAD(data).setAuthTag(content.subarray(-16))
  const plain = Buffer.concat([decipher.update(content.subarray(12, -16)), decipher.final()])
  expect(plain).toHaveLength(64)
  expect(JSON.parse(plain.subarray(0, plain.lastIndexOf(0x80)).toString())).toEqual(body)
})

const other = '22222222-2222-4222-8222-222222222222'
const headers: [string, Partial<ActHeader>][] = [
  ['in another conversation', { conversationId: other }],
  ['from another person', { personId: ben.userId }],
  ['as another act', { act: 'unsend' as 'edit' }],
  ['under another id', { actId: other }],
  ['for a message of another sender', { target: { ...edit.header.target, by: ben.userId } }],
  ['for another message', { target: { ...edit.header.target, id: other } }],
  ['for another key of the person', { from: 2 }],
  ['for another key of the other member', { to: 4 }],
  ['for a message that vanishes', { vanishMs: 30_000 }],
]
it.each(headers)('does not open %s', async (_way, change) => {
  const opened = openAct(await keyOf(ben, ann), { ...edit.header, ...change }, edit.content)
  await expect(opened).rejects.toThrow()
})

it('does not open as a message, nor a message as an act', async () => {
  const [message] = vectors.messages as [(typeof vectors.messages)[number]]
  const { conversationId, personId, actId, from, to } = edit.header
  const asMessage: MessageHeader = {
    ...{ conversationId, senderId: personId, clientMessageId: actId, messageType: 'text', from, to },
  }
  const key = await keyOf(ben, ann)
  await expect(openMessage(key, asMessage, edit.content)).rejects.toThrow()
  await expect(openAct(key, edit.header, message.content)).rejects.toThrow()
})

it('pads a reaction of up to 36 bytes to 64 bytes, so that all sealed ones have the same size', async () => {
  const header: ActHeader = { ...edit.header, act: 'reaction' }
  for (const t of ['👍', '👩🏽‍❤️‍💋‍👨🏿', 'x'.repeat(36)])
    expect(bytes(await sealAct(await keyOf(ann, ben), header, { t, at: Date.now() }))).toHaveLength(92)
})
