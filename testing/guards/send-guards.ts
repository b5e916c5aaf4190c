import type { Guard } from './guard.ts'

/** Sending, line by line, and what a reader is shown. */
export const sendGuards: readonly Guard[] = [
  {
    id: 'one-at-a-time',
    invariant: 'Sends into one conversation take turns',
    file: 'services/messaging/src/domain/keyed-queue.ts',
    cut: 'tails.get(key)',
    leave: 'undefined as Promise<unknown> | undefined',
    test: {
      file: 'services/messaging/src/domain/keyed-queue.test.ts',
      title: 'runs the jobs of one key one after the other',
    },
  },
  {
    id: 'fail-together',
    invariant: 'Those behind a send that met a dead database hear of it at once',
    file: 'services/messaging/src/domain/keyed-queue.ts',
    cut: 'if (concernsAll(error)) throw error',
    leave: '',
    test: {
      file: 'services/messaging/src/domain/keyed-queue.test.ts',
      title: 'fails those who waited together',
    },
  },
  {
    id: 'look-again',
    invariant: 'Who lost a seq to another process takes the next one',
    file: 'services/messaging/src/use-cases/send-message.ts',
    cut: 'last = undefined',
    leave: '',
    test: { file: 'services/messaging/src/use-cases/send-message.test.ts', title: 'gives 1, 2, 3' },
  },
  {
    id: 'spends-a-slot',
    invariant: 'A message nobody pays for spends the free slot',
    file: 'services/messaging/src/use-cases/send-message.ts',
    cut: 'covered ? {} : {',
    leave: 'covered !== null ? {} : {',
    test: {
      file: 'services/messaging/src/use-cases/send-message.test.ts',
      title: 'is one, over all conversations',
    },
  },
  {
    id: 'members-send',
    invariant: 'Nobody sends into a conversation of others',
    file: 'services/messaging/src/use-cases/send-message.ts',
    cut: 'await membersOf(ctx, input.conversationId, input.senderId)',
    leave: '(await ctx.members.of(input.conversationId)) ?? []',
    test: {
      file: 'services/messaging/src/use-cases/send-message.test.ts',
      title: 'tells a stranger, and whoever asks for what does not exist',
    },
  },
  {
    id: 'sends-at-most',
    invariant: 'A queue of sends that is too long takes no more',
    file: 'services/messaging/src/use-cases/send-message.ts',
    cut: 'if (ctx.sending.waiting >= waitingAtMost) throw tooManySends()',
    leave: '',
    test: {
      file: 'services/messaging/src/use-cases/send-message.test.ts',
      title: 'turns away at once who comes when too many wait',
    },
  },
  {
    id: 'nobody-listens',
    invariant: 'What nobody waits for any more is not stored',
    file: 'services/messaging/src/use-cases/send-message.ts',
    cut: 'if (performance.now() - arrivedMs > ctx.timeouts.sendQueueMs) throw tooManySends()',
    leave: '',
    test: {
      file: 'services/messaging/src/use-cases/send-message.test.ts',
      title: 'stores nothing for somebody who has stopped listening',
    },
  },
  {
    id: 'billing-away-is-no',
    invariant: 'When billing is away nobody sends for free',
    file: 'services/messaging/src/use-cases/is-covered.ts',
    cut: 'return false',
    leave: 'return true',
    test: {
      file: 'services/messaging/src/use-cases/send-message.test.ts',
      title: 'is all when billing does not answer',
    },
  },
  {
    id: 'remember-the-no',
    invariant: 'Billing is left alone for two seconds after a no',
    file: 'services/messaging/src/use-cases/is-covered.ts',
    cut: 'if (deniedAt !== undefined && ctx.clock.nowMs() - deniedAt < rememberNoMs) return false',
    leave: '',
    test: {
      file: 'services/messaging/src/use-cases/send-message.test.ts',
      title: 'is all when billing does not answer',
    },
  },
  {
    id: 'entitlement-second',
    invariant: 'What is believed of premium is a second old at most',
    file: 'services/messaging/src/domain/entitlement-cache.ts',
    cut: 'entry && readAtMs - entry.readAtMs < freshMs',
    leave: 'entry',
    test: {
      file: 'services/messaging/src/domain/entitlement-cache.test.ts',
      title: 'reads both at once, remembers them for a second',
    },
  },
  {
    id: 'news-during-read',
    invariant: 'What was read before the news is not remembered after it',
    file: 'services/messaging/src/domain/entitlement-cache.ts',
    cut: 'if (drops === dropsBefore) ',
    leave: '',
    test: {
      file: 'services/messaging/src/domain/entitlement-cache.test.ts',
      title: 'forgets at once whom there is news of',
    },
  },
  {
    id: 'premium-by-type',
    invariant: 'A date alone is no premium',
    file: 'services/messaging/src/domain/entitlement-cache.ts',
    cut: "subscriptionType === 'premium' && ",
    leave: '',
    test: {
      file: 'services/messaging/src/domain/entitlement-cache.test.ts',
      title: 'somebody of type free is not premium',
    },
  },
  {
    id: 'failed-command',
    invariant: 'A command that failed acknowledges nothing',
    file: 'services/messaging/src/stores/group-commit.ts',
    cut: 'reject(error)',
    leave: 'resolve()',
    test: {
      file: 'services/messaging/src/stores/group-commit.test.ts',
      title: 'acknowledges nothing when the command failed as a whole',
    },
  },
  {
    id: 'newer-second-try',
    invariant: 'The newer state wins also when both come at once',
    file: 'services/messaging/src/stores/upsert-newer.ts',
    cut: 'await collection.updateOne(filter, update)',
    leave: '',
    test: {
      file: 'services/messaging/src/stores/upsert-newer.test.ts',
      title: 'takes the newer one although an older one was inserted',
    },
  },
  {
    id: 'members-read',
    invariant: 'Nobody reads a conversation of others',
    file: 'services/messaging/src/use-cases/list-messages.ts',
    cut: 'if (!conversation?.memberIds.includes(input.userId)) throw',
    leave: 'if (!conversation) throw',
    test: {
      file: 'services/messaging/test/conversations.test.ts',
      title: 'learns of a conversation no more than of one',
    },
  },
  {
    id: 'members-mark',
    invariant: 'Nobody marks as read in a conversation of others',
    file: 'services/messaging/src/use-cases/mark-read.ts',
    cut: '!conversation || before === undefined',
    leave: '!conversation',
    test: {
      file: 'services/messaging/test/conversations.test.ts',
      title: 'learns of a conversation no more than of one',
    },
  },
  {
    id: 'cleared-is-gone',
    invariant: 'What was cleared stays out of sight',
    file: 'services/messaging/src/use-cases/list-messages.ts',
    cut: '.filter((record) => record.seq > cleared)',
    leave: '',
    test: {
      file: 'services/messaging/test/conversations.test.ts',
      title: 'is without what the reader cleared',
    },
  },
  {
    id: 'read-what-exists',
    invariant: 'Nobody has read what does not exist',
    file: 'services/messaging/src/use-cases/mark-read.ts',
    cut: 'Math.min(input.seq, await ctx.messages.lastSeq(conversationId))',
    leave: 'input.seq',
    test: {
      file: 'services/messaging/test/conversations.test.ts',
      title: 'moves forward only, and never beyond what exists',
    },
  },
]
