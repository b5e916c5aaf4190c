import type { Guard } from './guard.ts'

const sends = 'services/messaging/src/use-cases/send-message.ts'
const sendTest = 'services/messaging/src/use-cases/send-message.test.ts'
const commit = 'services/messaging/src/stores/group-commit.ts'
const commitTest = 'services/messaging/src/stores/group-commit.test.ts'
const migrations = 'services/messaging/src/migrations.ts'
const conversations = 'services/messaging/test/conversations.test.ts'
const parallel = 'services/messaging/test/parallel-sends.test.ts'
const partDown = 'testing/system/part-down.full.test.ts'

/** Storing a message once, in order, within its quota, and showing it to its members only. */
export const messagingGuards: readonly Guard[] = [
  {
    id: 'both-sides-hear',
    invariant: 'Both members of a conversation learn of a premium change, not the payer alone',
    file: 'services/messaging/src/use-cases/announce-limits.ts',
    cut: '[userId, ...(await ctx.conversations.partnersOf(userId))]',
    leave: '[userId]',
    test: { file: 'services/messaging/test/premium-is-live.test.ts', title: 'tells both sides of a grant' },
  },
  {
    id: 'durable-write',
    invariant: 'What was acknowledged survives a SIGKILL of the database',
    file: commit,
    cut: "await collection.insertMany(records, { ordered: false, writeConcern: { w: 'majority', j: true } })",
    leave:
      'await collection.insertMany(records, { ordered: false, writeConcern: { w: 1, j: false } } as never)',
    test: { file: partDown, title: 'nothing is half done while MongoDB is killed' },
  },
  {
    id: 'own-fate',
    invariant: 'Of a batch, nobody is told of a success that was another one’s',
    file: commit,
    cut: 'else if (failures.has(index)) reject(failures.get(index))',
    leave: '',
    test: { file: commitTest, title: 'tells each waiter its own fate' },
  },
  {
    id: 'write-concern-met',
    invariant: 'A batch the majority did not confirm is acknowledged to nobody',
    file: commit,
    cut: 'if (writeErrors === undefined || result?.getWriteConcernError?.() || (writeConcernErrors?.length ?? 0) > 0)',
    leave: 'if (writeErrors === undefined)',
    test: { file: commitTest, title: 'acknowledges nothing of a command whose write concern was not met' },
  },
  {
    id: 'stored-once',
    invariant: 'One clientMessageId is one message',
    file: migrations,
    cut: 'unique: true',
    leave: 'unique: false',
    test: { file: parallel, title: 'stores one message sent 20 times under one clientMessageId' },
  },
  {
    id: 'dense-order',
    invariant: 'seq is 1..n in every conversation, each once',
    file: 'services/messaging/src/domain/message.ts',
    cut: "`${conversationId}:${String(seq).padStart(seqDigits, '0')}`",
    leave: "`${conversationId}:${String(seq).padStart(seqDigits, '0')}${Math.random()}`",
    test: { file: parallel, title: 'numbers 200 from either side without a hole' },
  },
  {
    id: 'doubted-seq',
    invariant: 'A failed insert leaves no hole behind it',
    file: sends,
    cut: 'lastSeqs.delete(record.conversationId)',
    leave: '',
    test: { file: sendTest, title: 'leaves no hole after an insert that failed' },
  },
  {
    id: 'first-answer-again',
    invariant: 'A repeated send is answered with the stored message, and spends no second slot',
    file: sends,
    cut: 'if (stored) return answerAgain(ctx, stored, draft)',
    leave: '',
    test: { file: sendTest, title: 'is looked at before the free slot' },
  },
  {
    id: 'first-answer-once-spent',
    invariant: 'A repeated send is answered with the stored message, also when the slot is known to be spent',
    file: sends,
    cut: 'if (stored) return answerAgain(ctx, stored, draft)',
    leave: '',
    test: { file: sendTest, title: 'is looked at before the free slot' },
  },
  {
    id: 'same-content',
    invariant: 'A clientMessageId cannot be used again for something else',
    file: sends,
    cut: 'if (record.content !== draft.content || record.messageType !== draft.messageType)',
    leave: 'if (record.content === undefined)',
    test: { file: sendTest, title: 'cannot be used again for another content' },
  },
  {
    id: 'one-slot-a-day',
    invariant: 'Somebody free stores one message a day, however many are sent at once',
    file: migrations,
    cut: 'unique: true',
    leave: 'unique: false',
    test: {
      file: 'testing/system/free-limit.test.ts',
      title: 'stores exactly one of a hundred first messages',
    },
  },
  {
    id: 'ask-before-refusing',
    invariant: 'Whoever has paid is not refused, although Kafka has not said so yet',
    file: 'services/messaging/src/use-cases/is-covered.ts',
    cut: 'if (answers.includes(true)) return true',
    leave: '',
    test: { file: partDown, title: 'a payer is never refused while Kafka' },
  },
  {
    id: 'expiry-at-once',
    invariant: 'Premium ends the moment it runs out',
    file: 'services/messaging/src/use-cases/is-covered.ts',
    cut: 'until !== null && until > ctx.clock.now()',
    leave: 'until !== null',
    test: {
      file: sendTest,
      title: 'is not spent while either side is premium, and is there the moment premium has run out',
    },
  },
  {
    id: 'newer-wins',
    invariant: 'A projection told twice or out of order ends with the newest state',
    file: 'services/messaging/src/stores/upsert-newer.ts',
    cut: 'version: { $lt: version } }',
    leave: '}',
    test: { file: 'services/messaging/src/stores/upsert-newer.test.ts', title: 'keeps the highest version' },
  },
  {
    id: 'members-only',
    invariant: 'Nobody reads or writes in a conversation that is not theirs',
    file: 'services/messaging/src/use-cases/members-of.ts',
    cut: 'if (!memberIds?.includes(callerId)) throw conversationNotFound()',
    leave: 'if (!memberIds) throw conversationNotFound()',
    test: { file: conversations, title: 'learns of a conversation no more than of one that does not exist' },
  },
  {
    id: 'one-per-pair',
    invariant: 'A pair has one conversation, whoever opens it and however often at once',
    file: migrations,
    cut: 'unique: true',
    leave: 'unique: false',
    test: { file: conversations, title: 'makes one conversation of many that both sides open at once' },
  },
  {
    id: 'exact-list',
    invariant: 'The list of conversations is exact the moment a send was acknowledged',
    file: 'services/messaging/src/use-cases/list-conversations.ts',
    cut: 'const newest = withUnpublished(record, unpublished.get(record._id))',
    leave: 'const newest = record',
    test: { file: conversations, title: 'is exact for both the moment a send was acknowledged' },
  },
  {
    id: 'read-moves-forward',
    invariant: 'What was read does not become unread',
    file: 'services/messaging/src/stores/conversation-store.ts',
    cut: 'trusted({ $lt: seq })',
    leave: 'trusted({ $ne: seq })',
    test: { file: conversations, title: 'ends at the highest of many that are told at once' },
  },
  {
    id: 'message-sweeper',
    invariant: 'What was stored and not yet said when a process died is said afterwards',
    file: 'services/messaging/src/stores/announcer.ts',
    cut: 'const left = await messages.unpublishedBefore(limit, sweepBatch)',
    leave: 'const left: MessageRecord[] = []',
    test: { file: 'services/messaging/test/after-a-crash.test.ts', title: 'announces every stored message' },
  },
]
