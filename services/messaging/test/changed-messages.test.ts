import { randomUUID } from 'node:crypto'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import { editMessage } from '../src/use-cases/edit-message.ts'
import { listConversations } from '../src/use-cases/list-conversations.ts'
import { listMessages } from '../src/use-cases/list-messages.ts'
import { twoPeople } from './acts.ts'

let stack: RunningStack
/** Two processes besides the two of the stack. */
let contexts: [Context, Context]
beforeAll(async () => {
  stack = await sharedStack()
  const open = (index: number) => createContext(readConfig(stack.service('messaging', index).environment))
  contexts = [await open(0), await open(1)]
})
afterAll(() => Promise.all((contexts ?? []).map((ctx) => ctx.close())))

it('changedSince is exact and ascending over pages, while both members change messages in two processes', async () => {
  const { ann, ben, id, say, edit, unsend, changed, row, stored } = await twoPeople(stack)
  const messages: Message[] = []
  for (let index = 0; index < 30; index += 1) messages.push(await say(index % 2 ? ann : ben, `no. ${index}`))
  const read = new Map<number, Message>()
  let [since, isOver] = [0, false]
  const readPages = async () => {
    for (;;) {
      const isLast = isOver
      const page = await changed(ben, since, 3)
      const versions = page.map(({ version = 0 }) => version)
      expect(versions).toEqual([...new Set(versions)].sort((left, right) => left - right))
      for (const message of page) read.set(message.seq, message)
      since = versions.at(-1) ?? since
      if (isLast && page.length === 0) return
    }
  }
  const reading = readPages()
  const acts = messages.flatMap((message, index) => {
    const by = index % 2 ? ann : ben
    const target = { by: by.user.id, id: message.clientMessageId }
    const other = editMessage(contexts[index % 3 ? 0 : 1], {
      ...{ userId: by.user.id, conversationId: id, target, replaces: null },
      ...{ clientMessageId: randomUUID(), content: `edited ${index}`, sealed: undefined },
    }).catch(() => undefined)
    return [other, index % 5 === 0 ? unsend(by, message) : edit(by, message, `also ${index}`)]
  })
  const answers = await Promise.all(acts)
  isOver = true
  await reading

  const applied = answers.filter((answer) => answer && 'status' in answer && answer.status === 201)
  expect(applied.length).toBeGreaterThan(0)
  const rows = (await stored()).filter(({ version }) => version !== undefined)
  expect(rows).toHaveLength(30)
  const versions = rows.map(({ version = 0 }) => version)
  expect(new Set(versions).size).toBe(30)
  expect(await row(ben)).toMatchObject({ version: Math.max(...versions) })
  for (const { seq, content, version } of rows) expect(read.get(seq)).toMatchObject({ content, version })
  // A change that commits after the member's row was read waits for the next call.
  const own = { ...((await contexts[0].memberList.of(ben.user.id, id)) as MemberRecord), version: 10 }
  const until = await contexts[0].messages.changedSince(own, 0, 100)
  expect(Math.max(...until.map(({ version = 0 }) => version))).toBeLessThanOrEqual(10)
})

it('of two edits and an unsend of one message in two processes, each state is replaced once, and both show the same', async () => {
  const { ann, ben, say, edit, unsend, changed, history, stored, id } = await twoPeople(stack)
  for (let round = 1; round <= 10; round += 1) {
    const sent = await say(ann, `no. ${round}`)
    const other = editMessage(contexts[round % 2 ? 0 : 1], {
      ...{ userId: ann.user.id, conversationId: id, replaces: null },
      ...{ target: { by: ann.user.id, id: sent.clientMessageId }, sealed: undefined },
      ...{ clientMessageId: randomUUID(), content: 'in the other process' },
    }).then(
      () => 'applied',
      (error: unknown) => (error as { code: string }).code,
    )
    const [edited, taken, third] = await Promise.all([edit(ann, sent, 'edited'), unsend(ann, sent), other])
    expect(taken.status).toBe(201)
    const own = edited.status === 201 ? 'applied' : (edited.body as unknown as { code: string }).code
    const refused = [own, third].filter((outcome) => outcome !== 'applied')
    expect(refused.length).toBeGreaterThanOrEqual(1)
    for (const code of refused) expect(['act_replaced', 'message_unsent']).toContain(code)
    if (own !== 'applied') expect(edited).toMatchObject({ status: 409, body: { message: { seq: sent.seq } } })
  }
  const rows = await stored()
  expect(rows.every(({ isUnsent, content }) => isUnsent && content === '')).toBe(true)
  const versions = rows.map(({ version = 0 }) => version)
  expect(versions).toEqual([...new Set(versions)].sort((left, right) => left - right))
  const [shown, feed] = [await history(ben), await changed(ann, 0)]
  expect(shown.map(({ seq, version }) => [seq, version])).toEqual(
    rows.map(({ seq, version }) => [seq, version]),
  )
  expect(feed.map(({ seq }) => seq)).toEqual(rows.map(({ seq }) => seq))
  for (const ctx of contexts)
    expect(await listMessages(ctx, { userId: ben.user.id, conversationId: id, limit: 50 })).toEqual(shown)
})

it('a list names no version whose change the majority does not have yet', async () => {
  const { ann, ben, say, edit } = await twoPeople(stack)
  await edit(ann, await say(ann, 'x'), 'y')
  const [ctx] = contexts
  // The transaction of the next change has only reached the primary.
  const ahead = (row: MemberRecord) => ({ ...row, version: 2 })
  const page: typeof ctx.memberList.page = async (...args) => (await ctx.memberList.page(...args)).map(ahead)
  const early = { ...ctx, memberList: { ...ctx.memberList, page } }
  for (const person of [ann, ben])
    expect(await listConversations(early, { userId: person.user.id })).toMatchObject([{ version: 1 }])
})

it('after a restore, a list names the lower version, and there are no changes after a higher one', async () => {
  const { ann, say, edit, changed, row } = await twoPeople(stack)
  await edit(ann, await say(ann, 'x'), 'y')
  expect(await row(ann)).toMatchObject({ version: 1 })
  expect(await changed(ann, 7)).toEqual([])
})
