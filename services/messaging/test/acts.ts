import { randomUUID } from 'node:crypto'
import { changeMessage } from '@sumlock/contracts/act-routes'
import type { ActBody } from '@sumlock/contracts/act-routes'
import { exportMessages } from '@sumlock/contracts/export-routes'
import type { ExportedPage } from '@sumlock/contracts/export-routes'
import { listConversations, listMessages, markRead, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import type { LiveConnection } from '@sumlock/sync/ports'
import { withDatabase } from '@sumlock/testing/database'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { nextEvent } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import type { MessageRecord } from '../src/domain/message.ts'

type Named = Pick<Message, 'senderId' | 'clientMessageId'>

const targetOf = ({ senderId, clientMessageId }: Named) => ({ by: senderId, id: clientMessageId })

/** Two people with their conversation, in which the first one has premium unless told otherwise. */
export async function twoPeople(stack: RunningStack, { isFree = false } = {}) {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  if (!isFree) await makePremium(await adminPerson(stack), ann)
  const { id } = await befriend(ann, ben)
  const row = async ({ client }: Person) => (await client.ok(listConversations)).find((one) => one.id === id)
  // A message that is sent before messaging has the premium takes the free slot.
  if (!isFree) await eventually(async () => expect(await row(ann)).toMatchObject({ unlimited: true }))
  for (const { client } of [ann, ben]) client.keptToken = await client.csrfToken()

  const act = ({ client }: Person, body: ActBody) => client.call(changeMessage, { params: { id }, body })
  const messages = <T>(
    work: (rows: ReturnType<typeof rowsIn>) => Promise<T>,
    rowsIn = (database: Parameters<Parameters<typeof withDatabase>[2]>[0]) =>
      database.collection<MessageRecord>('messages'),
  ) => withDatabase(stack, 'messaging', (database) => work(rowsIn(database)))

  const passAll = (some: readonly Pick<Message, 'clientMessageId'>[], ms: number) => {
    const clientMessageId = { $in: some.map((message) => message.clientMessageId) }
    const earlier = (field: string) => ({ [field]: { $subtract: [`$${field}`, ms] } })
    const $set = { ...earlier('createdAt'), ...earlier('vanishAt') }
    return messages((rows) => rows.updateMany({ conversationId: id, clientMessageId }, [{ $set }]))
  }

  return {
    ann,
    ben,
    id,
    say: (by: Person, content: string, clientMessageId: string = randomUUID(), vanishMs?: VanishMs) =>
      by.client.ok(sendMessage, { body: { conversationId: id, content, clientMessageId, vanishMs } }),
    read: ({ client }: Person, { seq }: Pick<Message, 'seq'>) =>
      client.ok(markRead, { params: { id }, body: { seq } }),
    unsend: (by: Person, message: Named) =>
      act(by, { act: 'unsend', target: targetOf(message), clientMessageId: randomUUID() }),
    edit: (
      by: Person,
      message: Named & Pick<Message, 'edit'>,
      content: string,
      actId: string = randomUUID(),
    ) =>
      act(by, {
        ...{ act: 'edit', target: targetOf(message), clientMessageId: actId, content },
        replaces: message.edit?.id ?? null,
      }),
    /** Sets the reaction of a person, or takes it back. It replaces the one that the message shows as theirs. */
    react: (
      by: Person,
      message: Named & Pick<Message, 'reactions'>,
      content?: string,
      actId: string = randomUUID(),
    ) =>
      act(by, {
        ...{ act: 'reaction', target: targetOf(message), clientMessageId: actId, content },
        replaces: message.reactions?.find((one) => one.by === by.user.id)?.id ?? null,
      }),
    act,
    history: ({ client }: Person) => client.ok(listMessages, { params: { id } }),
    changed: ({ client }: Person, changedSince: number, limit?: number) =>
      client.ok(listMessages, { params: { id }, query: { changedSince, limit } }),
    row,
    exported: async ({ client }: Person) =>
      (await client.ok(exportMessages))
        .filter((page): page is ExportedPage => 'messages' in page)
        .flatMap((page) => page.messages),
    stored: () => messages((rows) => rows.find({ conversationId: id }).sort({ _id: 1 }).toArray()),
    /** Lets a part of the time of a message that vanishes pass. */
    pass: (message: Pick<Message, 'clientMessageId'>, ms: number) => passAll([message], ms),
    passAll,
    /** Makes the message so much older. */
    age: ({ clientMessageId, createdAt }: Message, hours: number) =>
      messages((rows) =>
        rows.updateOne(
          { conversationId: id, clientMessageId },
          { $set: { createdAt: new Date(Date.parse(createdAt) - hours * 3_600_000) } },
        ),
      ),
  }
}

/**
 * Resolves to the next event of a socket that was opened after `sent`. Events of the time before may come late: those of
 * `twoPeople`, and `sent` itself, which has no version yet.
 */
export const nextAfter = (live: LiveConnection) =>
  nextEvent(
    live,
    (event) =>
      !['status', 'limits_changed', 'conversation_started'].includes(event.type) &&
      !(event.type === 'new_message' && event.data.version === undefined),
  )

/** Repeats an act that a busy database refuses. The act of the same id is done once. */
export async function whenAvailable<T>(act: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left -= 1) {
    try {
      return await act()
    } catch (error) {
      if (left === 0 || (error as { code?: string }).code !== 'unavailable') throw error
    }
  }
}

/** Returns whether any collection of messaging contains a text. */
export const isAnywhere = (stack: RunningStack, text: string): Promise<boolean> =>
  withDatabase(stack, 'messaging', async (database) => {
    for (const { name } of await database.listCollections())
      if (JSON.stringify(await database.collection(name).find().toArray()).includes(text)) return true
    return false
  })
