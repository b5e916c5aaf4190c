import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import type { Context } from '../context.ts'
import { keyInUrl } from '../domain/media.ts'
import { memberKey } from '../domain/member.ts'
import type { MessageRecord } from '../domain/message.ts'
import { endWithoutReading } from '../domain/vanishing.ts'

/** The sweep removes the files of vanished messages ahead of all others. */
const firstOfAll = new Date(0)

/** Empties the messages whose time is over for both members, and removes their media. All replicas may do so at once. */
export async function eraseVanished(
  ctx: Pick<Context, 'media' | 'messages' | 'memberList' | 'logger'>,
  now: Date,
  stopping?: AbortSignal,
): Promise<void> {
  const { media, messages, logger } = ctx
  for (let hasMore = true; hasMore && !stopping?.aborted;) {
    const due = await messages.dueToVanish(now)
    const files = due.flatMap((message) => {
      const key = keyInUrl(message.mediaUrl ?? '')
      return key === undefined ? [] : [{ key, message }]
    })
    if (files.length > 0) {
      await keepCounted(ctx, files)
      await media.removeByKeys(
        files.map(({ key }) => key),
        firstOfAll,
      )
    }
    if (due.length > 0)
      await messages.vanish(
        due.map(({ _id }) => _id),
        now,
      )
    hasMore = due.length === rowsAtOnce
    if (hasMore) logger.info({ messages: due.length }, 'vanished messages were erased, and more are due')
  }
}

interface VanishingFile {
  key: string
  message: Pick<MessageRecord, 'conversationId' | 'senderId' | 'seq' | 'createdAt' | 'isOnce' | 'isHidden'>
}

/**
 * A sender who is not shown that a message was read must not notice it by their storage. Its file is counted for as long as
 * if nobody had read it. The opening of a message that opens once has decided this already.
 */
async function keepCounted(
  { media, memberList }: Pick<Context, 'media' | 'memberList'>,
  files: readonly VanishingFile[],
): Promise<void> {
  const senderKey = ({ message }: VanishingFile) => memberKey(message.senderId, message.conversationId)
  const senders = await memberList.byKeys([...new Set(files.map(senderKey))])
  const rows = new Map(senders.map((row) => [row._id, row]))
  const isUnnoticed = (file: VanishingFile) => {
    const { isOnce, isHidden, seq } = file.message
    const { otherReadSeq = 0, withheldReadSeq = 0 } = rows.get(senderKey(file)) ?? {}
    // A sender who was told later that it was read must not learn when, nor that its time began with a block.
    return !isOnce && (isHidden === true || otherReadSeq < seq || withheldReadSeq >= seq)
  }
  await media.countUntil(
    files.filter(isUnnoticed).map(({ key, message }) => ({ key, countedUntil: endWithoutReading(message) })),
  )
}
