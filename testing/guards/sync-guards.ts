import type { Guard } from './guard.ts'

/** That a screen ends as the server has it, line by line. */
export const syncGuards: readonly Guard[] = [
  {
    id: 'known-is-known',
    invariant: 'What the server has already told up to the watermark comes in by no hint',
    file: 'libs/sync/src/message-list.ts',
    cut: 'if (message.seq <= list.watermark) return list',
    leave: '',
    test: {
      file: 'libs/sync/src/message-list.test.ts',
      title: 'takes no late hint for what a page has shown to be gone',
    },
  },
  {
    id: 'once-by-id',
    invariant: 'A message stands on the screen once',
    file: 'libs/sync/src/message-list.ts',
    cut: 'if (known && (known.isRead || !message.isRead)) continue',
    leave: '',
    test: {
      file: 'libs/sync/src/message-list.test.ts',
      title: 'keeps each message once and does not change',
    },
  },
  {
    id: 'no-hint-before-a-hole',
    invariant: 'No message stands alone before a hole',
    file: 'libs/sync/src/message-list.ts',
    cut: 'list.messages.filter(({ seq }) => seq >= first)',
    leave: 'list.messages',
    test: {
      file: 'libs/sync/src/message-list.test.ts',
      title: 'keeps hints that came before the first page',
    },
  },
  {
    id: 'ask-until-short',
    invariant: 'What was missed is asked for to its end',
    file: 'libs/sync/src/conversation-view.ts',
    cut: 'page.length >= catchUpLimit',
    leave: 'false',
    test: { file: 'libs/sync/src/conversation-view.test.ts', title: 'fetches pages until one is short' },
  },
  {
    id: 'poll-while-visible',
    invariant: 'A screen that hears nothing asks every half minute',
    file: 'libs/sync/src/conversation-view.ts',
    cut: 'visible ? pollMs.visible : null',
    leave: 'null',
    test: {
      file: 'libs/sync/src/conversation-view.test.ts',
      title: 'within 30 s while visible, with every hint lost',
    },
  },
  {
    id: 'confirm-stored',
    invariant: 'What is seen stored is not sent again',
    file: 'libs/sync/src/conversation-view.ts',
    cut: 'outbox.confirm(message.clientMessageId)',
    leave: ';',
    test: {
      file: 'libs/sync/src/conversation-view.test.ts',
      title: 'takes a message off the outbox that was stored',
    },
  },
  {
    id: 'read-before-the-hole',
    invariant: 'Nothing behind a hole is reported as read',
    file: 'libs/sync/src/read-reporter.ts',
    cut: 'seq <= list.watermark && ',
    leave: '',
    test: {
      file: 'libs/sync/src/conversation-view.test.ts',
      title: 'reports as read what is visible and without a hole',
    },
  },
  {
    id: 'one-on-its-way',
    invariant: 'Messages of a conversation leave one after the other',
    file: 'libs/sync/src/outbox.ts',
    cut: "!queue.some(({ status }) => status === 'sending')",
    leave: 'true',
    test: {
      file: 'libs/sync/src/outbox.test.ts',
      title: 'sends one message of a conversation after the other',
    },
  },
  {
    id: 'not-for-ever',
    invariant: 'A call that never answers holds up nothing',
    file: 'libs/sync/src/outbox.ts',
    cut: 'within(clock, answerWithinMs, (signal) => api.sendMessage(item.message, signal))',
    leave: 'api.sendMessage(item.message, new AbortController().signal)',
    test: { file: 'libs/sync/src/outbox.test.ts', title: 'counts a call that never answers as lost' },
  },
  {
    id: 'closed-writes-nothing',
    invariant: 'A closed outbox does not overwrite the store of its successor',
    file: 'libs/sync/src/outbox.ts',
    cut: "if (state === 'open') saver.save(items)",
    leave: "if (state !== 'loading') saver.save(items)",
    test: { file: 'libs/sync/src/outbox.test.ts', title: 'writes nothing once it is closed' },
  },
  {
    id: 'lost-is-retried',
    invariant: 'A send whose answer was lost is sent again',
    file: 'libs/sync/src/failure.ts',
    cut: 'status === null || ',
    leave: '',
    test: { file: 'libs/sync/src/outbox.test.ts', title: 'repeats a send whose answer was lost' },
  },
  {
    id: 'refused-is-refused',
    invariant: 'What the server refuses is left to the person, and the next one goes on',
    file: 'libs/sync/src/failure.ts',
    cut: "'give-up'",
    leave: "'retry'",
    test: { file: 'libs/sync/src/outbox.test.ts', title: 'keeps a message that the server refuses with' },
  },
  {
    id: 'come-back',
    invariant: 'A lost connection comes back within four seconds',
    file: 'libs/sync/src/live-connection.ts',
    cut: 'connectLater()',
    leave: '',
    test: {
      file: 'libs/sync/src/live-connection.test.ts',
      title: 'connects again 3 s plus up to 1 s after a loss',
    },
  },
]
