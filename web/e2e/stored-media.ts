import { callApi } from './person.ts'
import type { Visitor } from './person.ts'

interface StoredMessage {
  messageType: string
  mediaUrl: string | null
  sealed?: object
}

/** Returns the messages of a conversation as the server stores them. */
export const storedIn = async ({ context }: Visitor, conversationId: string): Promise<StoredMessage[]> =>
  (await (
    await context.request.get(`/api/conversations/${conversationId}/messages`)
  ).json()) as StoredMessage[]

/** Returns the stored object of the first message with media. */
export async function storedObject(visitor: Visitor, conversationId: string): Promise<Buffer> {
  const messages = await storedIn(visitor, conversationId)
  const { mediaUrl } = messages.find((message) => message.mediaUrl) ?? {}
  return (await visitor.context.request.get(mediaUrl ?? '')).body()
}

/** Sends a file through the API, as a client without keys would. */
export async function sendPlain(
  visitor: Visitor,
  message: { conversationId: string; messageType: 'image' | 'video' | 'voice' },
  data: Buffer,
): Promise<void> {
  const { uploadURL } = await callApi<{ uploadURL: string }>(visitor, '/api/objects/upload', {})
  const { origin, pathname } = new URL(uploadURL)
  await visitor.context.request.put(pathname, { data, headers: { origin } })
  await callApi(visitor, '/api/messages', { ...message, mediaUrl: uploadURL })
}
