import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import type { Context } from '../context.ts'
import { keyInUrl } from '../domain/media.ts'

/** The sweep removes the files of vanished messages ahead of all others. */
const firstOfAll = new Date(0)

/** Empties the messages whose time is over for both members, and removes their media. All replicas may do so at once. */
export async function eraseVanished(
  { media, messages }: Pick<Context, 'media' | 'messages'>,
  now: Date,
  stopping?: AbortSignal,
): Promise<void> {
  for (let hasMore = true; hasMore && !stopping?.aborted;) {
    const due = await messages.dueToVanish(now)
    const files = due.flatMap(({ mediaUrl }) => (mediaUrl ? (keyInUrl(mediaUrl) ?? []) : []))
    if (files.length > 0) await media.removeByKeys(files, firstOfAll)
    if (due.length > 0)
      await messages.vanish(
        due.map(({ _id }) => _id),
        now,
      )
    hasMore = due.length === rowsAtOnce
  }
}
