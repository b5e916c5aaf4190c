import type { ExportedPage } from '@sumlock/contracts/export-routes'
import { closedSentence } from './closed-sentence.ts'
import { nicknameOpener } from './nicknames.ts'
import { lookOf, textOf } from './look.ts'
import type { Sealable } from './look.ts'
import type { SealedText } from './sealed-text.ts'

type ExportedMessage = ExportedPage['messages'][number]

/** Returns who has chosen which emoji; null if it does not open here. A reaction that was taken back is left out. */
const toExported = (reactions: Sealable['reactions'] = [], userId: string) =>
  reactions
    .filter(({ content }) => content !== '')
    .map((one) => ({ byMe: one.by === userId, emoji: textOf(lookOf(one), one) }))

/** Opens the texts in the pages of an export. A message that does not open here gets the reason instead of its text. */
export const openExport = (
  pages: readonly ExportedPage[],
  text: Pick<SealedText, 'open' | 'ownKeys' | 'partnerId' | 'refreshKeys'>,
  userId: string,
): Promise<object[]> =>
  Promise.all(
    pages.map(async ({ conversationId, with: partner, nickname: box, messages }) => {
      const openName = box && (await nicknameOpener(await text.ownKeys()))
      const nickname = openName && (await openName(conversationId, box))
      // The list contains only the partner's newest key, but older messages need the older keys.
      if (messages.some(({ sealed, reactions = [] }) => sealed ?? reactions.some((one) => one.sealed)))
        await text.refreshKeys(conversationId).catch(() => undefined)
      const open = async ({
        clientMessageId,
        sealed,
        mediaUrl,
        edit,
        reactions,
        ...exported
      }: ExportedMessage) => {
        const senderId = exported.sentByMe ? userId : (text.partnerId(conversationId) ?? '')
        const stored = { ...exported, senderId, clientMessageId, sealed, mediaUrl, edit, reactions, seq: 0 }
        const [opened = stored] = await text.open(conversationId, [stored])
        const message = {
          ...exported,
          ...(edit && { isEdited: true }),
          ...(reactions && { reactions: toExported(opened.reactions, userId) }),
        }
        if (!sealed) return { ...message, encrypted: false }
        const look = lookOf(opened)
        const content = textOf(look, stored)
        if (content !== null) return { ...message, content, encrypted: true }
        const why = look.state === 'closed' ? look.why : 'damaged'
        return { ...message, content: null, notOpened: closedSentence(why, partner), encrypted: true }
      }
      const named = nickname ? { nickname } : {}
      return { conversationId, with: partner, ...named, messages: await Promise.all(messages.map(open)) }
    }),
  )
