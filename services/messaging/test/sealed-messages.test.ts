import { randomUUID } from 'node:crypto'
import { resetApp } from '@sumlock/contracts/auth-routes'
import { putIdentity } from '@sumlock/contracts/identity-routes'
import { setupNumericPassword, verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { setConversationState } from '@sumlock/contracts/conversation-state-routes'
import { listConversations, listKeys, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import { conversationKey } from '@sumlock/sealing/conversation-key'
import { openMessage, sealMessage } from '@sumlock/sealing/message'
import { createKey, importKey, stretch } from '@sumlock/sealing/own-key'
import type { OwnKey } from '@sumlock/sealing/own-key'
import { withDatabase } from '@sumlock/testing/database'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

type Sealer = Person & { key: OwnKey }

/** Unlocks and stores a key of the next epoch, as a browser does. */
async function giveKey(person: Person, epoch: number, numericPassword = person.pin): Promise<Sealer> {
  const answer = await person.client.ok(verifyNumericPassword, { body: { numericPassword } })
  if (!('keyShares' in answer) || !answer.keyShares[0]) throw new Error('There is no share.')
  const { sk, share } = answer.keyShares[0]
  const stretched = await stretch(numericPassword, person.user.id)
  const made = await createKey({ userId: person.user.id, epoch }, stretched, fromBase64Url(share))
  const { pub, box, n } = made.stored
  const body = { epoch, pub: toBase64Url(pub), box: toBase64Url(box), n, sk, pinVersion: answer.pinVersion }
  await person.client.ok(putIdentity, { body })
  return { ...person, key: await importKey(made.stored, made.pkcs8) }
}

/** Two people with keys who have each other's keys; the first has premium. */
async function sealers() {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(await adminPerson(stack), ann)
  const { id } = await befriend(ann, ben)
  const [left, right] = await Promise.all([giveKey(ann, 1), giveKey(ben, 1)])
  await knowsKey(left, id, 1)
  await knowsKey(right, id, 1)
  return { ann: left, ben: right, id }
}

const viewOf = async ({ client }: Person, id: string) =>
  (await client.ok(listConversations)).find((conversation) => conversation.id === id)
/** Waits until a person's list shows this epoch of the other one. */
const knowsKey = (person: Person, id: string, epoch: number) =>
  eventually(async () => expect((await viewOf(person, id))?.otherUser.keys?.[0]?.epoch).toBe(epoch))

interface Words {
  from: Sealer
  to: Sealer
  text: string
  clientMessageId?: string
}
/** The body of a sealed message. */
async function sealedBody(conversationId: string, { from, to, text, clientMessageId = randomUUID() }: Words) {
  const epochs = { from: from.key.epoch, to: to.key.epoch }
  const envelope = { conversationId, senderId: from.user.id, clientMessageId, messageType: 'text', ...epochs }
  const key = await conversationKey(conversationId, from.key, to.key)
  const content = await sealMessage(key, envelope, { t: text, at: 1 })
  const sealed = { v: 1 as const, ...epochs }
  return { conversationId, content, messageType: 'text' as const, clientMessageId, sealed }
}
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { code?: string }).code}`

it('a sealed message is opened by the other person from the history, from the list, and by nobody from the row', async () => {
  const { ann, ben, id } = await sealers()
  const body = await sealedBody(id, { from: ann, to: ben, text: 'only for two' })
  const answer = await ann.client.call(sendMessage, { body })
  expect(answer.status).toBe(201)

  const [message] = await ben.client.ok(listMessages, { params: { id } })
  const key = await conversationKey(id, ben.key, ann.key)
  const envelope = { ...body, ...body.sealed, senderId: ann.user.id }
  const open = (content = '') => openMessage(key, envelope, content)
  expect(message).toMatchObject({ sealed: { v: 1, from: 1, to: 1 }, clientMessageId: body.clientMessageId })
  expect(await open(message?.content)).toMatchObject({ t: 'only for two' })

  const last = async () => (await viewOf(ben, id))?.lastMessage
  expect(await last()).toMatchObject({ sealed: body.sealed, clientMessageId: body.clientMessageId })
  expect(await open((await last())?.content)).toMatchObject({ t: 'only for two' })

  const rows = await withDatabase(stack, 'messaging', (db) =>
    db.collection('messages').find({ conversationId: id }).toArray(),
  )
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('only for two')
})

it('sealed again after a lost answer, a message is stored once, and both get the stored one', async () => {
  const { ann, ben, id } = await sealers()
  const words = { from: ann, to: ben, text: 'once', clientMessageId: randomUUID() }
  const first = await ann.client.ok(sendMessage, { body: await sealedBody(id, words) })
  const again = await ann.client.call(sendMessage, { body: await sealedBody(id, words) })
  expect(again).toMatchObject({ status: 200, body: { id: first.id, content: first.content } })
  const plain = { conversationId: id, content: 'once', clientMessageId: words.clientMessageId }
  expect(codeOf(await ann.client.call(sendMessage, { body: plain }))).toBe('409 client_message_id_reused')
  expect(await ben.client.ok(listMessages, { params: { id } })).toHaveLength(1)
})

it('a plain message whose answer was lost is stored once when it is sealed at the next attempt', async () => {
  const { ann, ben, id } = await sealers()
  const clientMessageId = randomUUID()
  const plain = { conversationId: id, content: 'first plain', clientMessageId }
  const stored = await ann.client.ok(sendMessage, { body: plain })
  const body = await sealedBody(id, { from: ann, to: ben, text: 'first plain', clientMessageId })
  const again = await ann.client.call(sendMessage, { body })
  expect(again).toMatchObject({ status: 200, body: { id: stored.id, content: 'first plain' } })
  expect(await ben.client.ok(listMessages, { params: { id } })).toHaveLength(1)
})

it('a message sealed for a former key is refused with 409, unless it is already stored; plain text stays legal', async () => {
  const { ann, ben, id } = await sealers()
  const stored = await sealedBody(id, { from: ann, to: ben, text: 'before the new key' })
  await ann.client.ok(sendMessage, { body: stored })
  await ben.client.ok(resetApp, { body: { password: ben.password } })
  await ben.client.ok(setupNumericPassword, { body: { numericPassword: '86420' } })
  const renewed = await giveKey(ben, 2, '86420')
  await knowsKey(ann, id, 2)

  // Each replica remembers its facts about a person for a second.
  await eventually(async () => {
    const late = await sealedBody(id, { from: ann, to: ben, text: 'too late' })
    expect(codeOf(await ann.client.call(sendMessage, { body: late }))).toBe('409 keys_changed')
  })
  expect((await ann.client.call(sendMessage, { body: stored })).status).toBe(200)
  const { keys } = await ann.client.ok(listKeys, { params: { id } })
  expect(keys.map(({ epoch }) => epoch)).toEqual([1, 2])
  expect(keys[1]?.pub).toBe(toBase64Url(renewed.key.pub))
  const body = await sealedBody(id, { from: ann, to: renewed, text: 'with the new key' })
  expect((await ann.client.call(sendMessage, { body })).status).toBe(201)
  expect((await ann.client.call(sendMessage, { body: { conversationId: id, content: 'hi' } })).status).toBe(
    201,
  )
})

it('the keys of a conversation are given to its members only', async () => {
  const { id } = await sealers()
  const eve = await unlockedPerson(stack)
  expect(codeOf(await eve.client.call(listKeys, { params: { id } }))).toBe('404 conversation_not_found')
})

it('a message is stored with an epoch that messaging does not have yet', async () => {
  const { ann, ben, id } = await sealers()
  const newer = { ...ben, key: { ...ben.key, epoch: 7 } }
  const body = await sealedBody(id, { from: ann, to: newer, text: 'to the future' })
  expect((await ann.client.call(sendMessage, { body })).status).toBe(201)
})

it('a member who blocked the sender gets neither the content nor the keys of a sealed message', async () => {
  const { ann, ben, id } = await sealers()
  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
  const body = await sealedBody(id, { from: ann, to: ben, text: 'unseen' })
  expect((await ann.client.call(sendMessage, { body })).status).toBe(201)
  const [seen] = await ben.client.ok(listMessages, { params: { id } })
  expect(seen).toMatchObject({ content: '' })
  expect(seen).not.toHaveProperty('sealed')
  expect((await viewOf(ann, id))?.lastMessage).toMatchObject({ sealed: body.sealed })
})

it.each([
  ['more than 4,000 characters of plain text', { content: 'x'.repeat(4001), sealed: undefined }],
  ['content that is not base64url', { content: 'x'.repeat(200) + ' ?' }],
  ['content that is too short to be sealed', { content: 'x'.repeat(122) }],
  ['more than 20,000 characters', { content: 'x'.repeat(20_001) }],
  ['no clientMessageId', { clientMessageId: undefined }],
  ['no messageType', { messageType: undefined }],
  ['another version', { sealed: { v: 2 as 1, from: 1, to: 1 } }],
])('400 for a sealed message with %s', async (_name, changes) => {
  const ann = await unlockedPerson(stack)
  const { id } = await befriend(ann, await unlockedPerson(stack))
  const clientMessageId = randomUUID()
  const sealed = { v: 1 as const, from: 1, to: 1 }
  const right = { conversationId: id, content: 'x'.repeat(150), messageType: 'text' as const }
  const body = { ...right, clientMessageId, sealed, ...changes }
  expect(codeOf(await ann.client.call(sendMessage, { body }))).toBe('400 invalid_request')
  expect(await ann.client.ok(listMessages, { params: { id } })).toEqual([])
})
