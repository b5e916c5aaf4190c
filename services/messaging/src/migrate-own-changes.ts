import { rangesOf } from '@sumlock/service-kit/ranges-of'
import type { Connection } from 'mongoose'
import { dropIndex } from './drop-index.ts'

/** Moves what a blocked person had edited to the changes of that person, which may be reactions as well. */
export async function migrateOwnChanges(connection: Connection): Promise<void> {
  const messages = connection.collection('messages')
  const edited = { content: '$ownEdit.content', sealed: '$ownEdit.sealed', edit: '$ownEdit.edit' }
  for await (const range of rangesOf(messages))
    await messages.updateMany({ ownEdit: { $exists: true }, _id: range as never }, [
      { $set: { own: { sender: { version: '$ownEdit.version', edited } } } },
      { $unset: 'ownEdit' },
    ])
  await dropIndex(messages, 'ownEdit')
  await messages.createIndexes(
    ['own.sender.version', 'own.recipient.version'].map((field) => ({
      ...{ key: { conversationId: 1, senderId: 1, [field]: 1 } as const, name: field },
      partialFilterExpression: { [field]: { $exists: true } },
    })),
  )
}
