import { systemClock } from '@sumlock/sync/system-clock'
import { within } from '@sumlock/sync/within'
import { editDraft } from '../delivery/edit-draft.ts'
import type { FileStub } from '../media/lost-files.ts'
import type { Session } from './open-session.ts'

/** The storage of the device may hang. */
const writtenWithinMs = 2000

/**
 * Removes what is unsent in a conversation that was deleted, because sending it would start the conversation again.
 * Resolves when the device has stored this, or after two seconds.
 */
export async function dropUnsent(
  { outbox, drafts, media: { uploads, unsent } }: Session,
  id: string,
): Promise<void> {
  for (const { conversationId, cancel } of uploads.get()) if (conversationId === id) cancel()
  drafts.set(id, '')
  drafts.set(editDraft(id), '')
  drafts.setReply(id)
  const isOther = (file: FileStub) => file.conversationId !== id
  const files = unsent.update(
    (text) => ({ ...text, files: (text.files ?? []).filter(isOther) }),
    `files ${id}`,
  )
  const written = Promise.allSettled([
    files,
    outbox.drop(({ message }) => message.conversationId === id),
    drafts.settled(),
  ])
  await within(systemClock, writtenWithinMs, () => written).catch(() => undefined)
}
