import type { ExportedPage } from '@sumlock/contracts/export-routes'
import { closedSentence } from './closed-sentence.ts'
import { nicknameOpener } from './nicknames.ts'
import { lookOf, textOf } from './look.ts'
import type { Sealable } from './look.ts'
import type { SealedText } from './sealed-text.ts'

type ExportedMessage = ExportedPage['messages'][number]
type Opener = Pick<SealedText, 'open' | 'ownKeys' | 'partnerId' | 'refreshKeys'>
/** Says by whom a message was sent, and when. */
type Place = Pick<ExportedMessage, 'sentByMe' | 'createdAt'>

/** Returns who has chosen which emoji; null if it does not open here. A reaction that was taken back is left out. */
const toExported = (reactions: Sealable['reactions'] = [], userId: string) =>
  reactions
    .filter(({ content }) => content !== '')
    .map((one) => ({ byMe: one.by === userId, emoji: textOf(lookOf(one), one) }))

/** Opens the texts in the pages of an export. A message that does not open here gets the reason instead of its text. */
export function openExport(pages: readonly ExportedPage[], text: Opener, userId: string): Promise<object[]> {
  const placeOf = placesOf(pages, userId)
  return Promise.all(
    pages.map(async ({ conversationId, with: partner, nickname: box, messages }) => {
      const openName = box && (await nicknameOpener(await text.ownKeys()))
      const nickname = openName && (await openName(conversationId, box))
      // The list contains only the partner's newest key, but older messages need the older keys.
      if (messages.some(({ sealed, reactions = [] }) => sealed ?? reactions.some((one) => one.sealed)))
        await text.refreshKeys(conversationId).catch(() => undefined)
      const open = async (message: ExportedMessage) => {
        const { clientMessageId: _id, sealed, mediaUrl: _url, edit, reactions, ...exported } = message
        const senderId = exported.sentByMe ? userId : (text.partnerId(conversationId) ?? '')
        const stored = { ...message, senderId, seq: 0 }
        const [opened = stored] = await text.open(conversationId, [stored])
        const marked = {
          ...exported,
          ...(edit && { isEdited: true }),
          ...(reactions && { reactions: toExported(opened.reactions, userId) }),
        }
        if (!sealed) return { ...marked, encrypted: false }
        const look = lookOf(opened)
        const content = textOf(look, stored)
        const re = look.state === 'open' ? look.body.re : undefined
        const answers = re && { answers: placeOf(conversationId, re) }
        if (content !== null) return { ...marked, content, ...answers, encrypted: true }
        const why = look.state === 'closed' ? look.why : 'damaged'
        return { ...marked, content: null, notOpened: closedSentence(why, partner), encrypted: true }
      }
      const named = nickname ? { nickname } : {}
      return { conversationId, with: partner, ...named, messages: await Promise.all(messages.map(open)) }
    }),
  )
}

/** Returns a function that finds a message by its name; null if the export does not contain it. */
function placesOf(pages: readonly ExportedPage[], userId: string) {
  const places = new Map<string, Place>()
  const nameOf = (conversationId: string, isMine: boolean, id: string) => `${conversationId} ${isMine} ${id}`
  for (const { conversationId, messages } of pages)
    for (const { sentByMe, createdAt, clientMessageId } of messages)
      places.set(nameOf(conversationId, sentByMe, clientMessageId), { sentByMe, createdAt })
  return (conversationId: string, { by, id }: { by: string; id: string }): Place | null =>
    places.get(nameOf(conversationId, by === userId, id)) ?? null
}
