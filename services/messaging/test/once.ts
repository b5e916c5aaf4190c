import { randomUUID } from 'node:crypto'
import { login } from '@sumlock/contracts/auth-routes'
import { setConversationPreferences } from '@sumlock/contracts/conversation-state-routes'
import { getStorage } from '@sumlock/contracts/media-routes'
import { closeOnce, openOnce, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { get, someBytes, storedObjects, upload } from '@sumlock/testing/media'
import { unlock } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import type { MediaRow } from '../src/domain/media.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { twoPeople } from './acts.ts'

export type Once = Message & { file: string; bytes: Uint8Array<ArrayBuffer> }

/** Two people of whom the first sends messages that open once. */
export async function onceFriends(stack: RunningStack) {
  const pair = await twoPeople(stack)
  const { ann, id, history, row, exported } = pair
  const keyOf = ({ file }: Once) => file.slice(-24)
  return {
    ...pair,
    sendOnce: async ({ length = 1000, content = 'caption' } = {}): Promise<Once> => {
      const bytes = someBytes(length)
      const file = new URL(await upload(ann.client, bytes)).pathname
      const body = {
        conversationId: id,
        messageType: 'image' as const,
        content,
        isOnce: true as const,
      }
      const once = { ...body, mediaUrl: file, clientMessageId: randomUUID() }
      return { ...(await ann.client.ok(sendMessage, { body: once })), file, bytes }
    },
    open: ({ client }: Pick<Person, 'client'>, once: Message) =>
      client.call(openOnce, { params: { id: once.id } }),
    close: ({ client }: Pick<Person, 'client'>, once: Message) =>
      client.call(closeOnce, { params: { id: once.id } }),
    /** The status of a read of the file. */
    reads: async ({ client }: Pick<Person, 'client'>, { file }: Once) => (await get(client, file)).status,
    rowOf: ({ clientMessageId }: Message) =>
      withDatabase(stack, 'messaging', (database) =>
        database.collection<MessageRecord>('messages').findOne({ conversationId: id, clientMessageId }),
      ),
    mediaOf: (once: Once) =>
      withDatabase(stack, 'messaging', (database) =>
        database.collection<MediaRow>('media').findOne({ _id: keyOf(once) }),
      ),
    keyOf,
    used: async ({ client }: Person) => (await client.ok(getStorage)).usedBytes,
    /** The last message as a person is shown it in the history, the list and the export. */
    shown: async (person: Person) => {
      const [messages, listed, all] = [await history(person), await row(person), await exported(person)]
      return { message: messages.at(-1), preview: listed?.lastMessage, copy: all.at(-1) }
    },
    /** Signs a person in to a second session. */
    elsewhere: async (person: Person): Promise<Person> => {
      const second = { ...person, client: new Client(stack) }
      await second.client.ok(login, { body: { username: person.username, password: person.password } })
      await unlock(second)
      return second
    },
  }
}

export const setReceipts = ({ client }: Person, showsRead: boolean) =>
  client.ok(setConversationPreferences, { body: { showsRead } })

export const erasedWithin = { timeoutMs: 60_000, everyMs: 250 }

/** Two people, and a message that the second one can open. */
export async function openingFriends(stack: RunningStack, { isSilent = false } = {}) {
  const pair = await onceFriends(stack)
  const { ben, close, open, rowOf, sendOnce } = pair
  if (isSilent) await setReceipts(ben, false)
  const once = await sendOnce()
  return {
    ...pair,
    once,
    /** Opens and closes the message, and waits until nothing is left of it. */
    erase: async () => {
      expect(await open(ben, once)).toMatchObject({ status: 200 })
      expect(await close(ben, once)).toMatchObject({ status: 200 })
      await eventually(async () => {
        expect(await rowOf(once)).toMatchObject({ content: '', mediaUrl: null })
        expect((await storedObjects(stack)).filter((key) => key.startsWith(once.file.slice(-24)))).toEqual([])
      }, erasedWithin)
    },
  }
}
