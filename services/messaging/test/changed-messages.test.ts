import { randomUUID } from 'node:crypto'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import { editMessage } from '../src/use-cases/edit-message.ts'
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
