import { randomUUID } from 'node:crypto'
import { exportAccount, exportMessages } from '@sumlock/contracts/export-routes'
import type { ExportedPage } from '@sumlock/contracts/export-routes'
import { lock } from '@sumlock/contracts/lock-routes'
import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '@sumlock/testing/database'
import { readSlowly } from '@sumlock/testing/media'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

it('an export contains all that its owner is shown, in pages, and nothing that was deleted or belongs to others', async () => {
  const [ann, ben, cal] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack),
  ])
  await makePremium(await adminPerson(stack), ann)
  const withBen = await befriend(ann, ben)
  const withCal = await befriend(ann, cal)
  for (const { client } of [ann, ben, cal]) client.keptToken = await client.csrfToken()
  const texts = Array.from({ length: 205 }, (_, index) => `no. ${index + 1}`)
  for (const content of texts)
    await ann.client.ok(sendMessage, { body: { conversationId: withBen.id, content } })
  await ben.client.ok(sendMessage, { body: { conversationId: withBen.id, content: 'from Ben' } })
  await cal.client.ok(sendMessage, { body: { conversationId: withCal.id, content: 'deleted by Ann' } })
  await ann.client.ok(deleteConversation, { params: { id: withCal.id } })

  const elements = await ann.client.ok(exportMessages)
  expect(elements.at(-1)).toEqual({ complete: true })
  const pages = elements.slice(0, -1) as ExportedPage[]
  expect(pages.map((page) => [page.with, page.messages.length])).toEqual([
    [ben.username, 200],
    [ben.username, 6],
  ])
  const messages = pages.flatMap((page) => page.messages)
  expect(messages.map(({ content }) => content)).toEqual([...texts, 'from Ben'])
  expect(messages.map(({ sentByMe }) => sentByMe)).toEqual([...texts.map(() => true), false])
  const whole = JSON.stringify(elements)
  for (const secret of [ben.user.email, ben.phone, ben.user.id, 'deleted by Ann'])
    expect(whole).not.toContain(secret)
})

/** Repeats the first message of a conversation. */
async function repeatMessage(conversationId: string, times: number): Promise<void> {
  const idOf = (seq: number) => `${conversationId}:${String(seq).padStart(10, '0')}`
  await withDatabase(stack, 'messaging', async (database) => {
    const messages = database.collection<{ _id: string }>('messages')
    const first = await messages.findOne({ _id: idOf(1) })
    const copies = Array.from({ length: times }, (_, index) => {
      const [seq, messageId, clientMessageId] = [index + 2, randomUUID(), randomUUID()]
      return { ...first, _id: idOf(seq), seq, messageId, clientMessageId }
    })
    await messages.insertMany(copies)
  })
}

it('a long export ends when the reader locks', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id: conversationId } = await befriend(ann, ben)
  await ann.client.ok(sendMessage, { body: { conversationId, content: 'x'.repeat(4000) } })
  // Some megabytes can be in the buffers between messaging and the reader.
  await repeatMessage(conversationId, 4000)
  const { hasBegun, read } = readSlowly(ann.client, exportMessages.path, 4_000_000)
  await hasBegun
  await ann.client.ok(lock)
  expect(await read).toBeLessThan(4000 * 4000)
})

it('the account is exported once a day, after its password, with its sessions', async () => {
  const { client, password, user, username } = await unlockedPerson(stack)
  client.keptToken = await client.csrfToken()
  expect(await client.call(exportAccount, { body: { password: 'not it' } })).toMatchObject({ status: 403 })
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => client.call(exportAccount, { body: { password } })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429])
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
    account: { id: user.id, username, email: user.email },
    sessions: [{ isCurrent: true }],
  })
  const [refused] = answers.filter(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({
    error: 'Your data was exported today already. Please try again tomorrow.',
  })
})
