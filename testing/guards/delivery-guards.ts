import type { Guard } from './guard.ts'

const partDown = 'testing/system/part-down.full.test.ts'
const everythingDies = 'testing/system/everything-dies.full.test.ts'
const dies = '2,000 messages while Kafka, Redis, MongoDB and messaging are killed'
const grants = 'services/billing/test/grants.test.ts'
const view = 'libs/sync/src/conversation-view.ts'
const viewTest = 'libs/sync/src/conversation-view.test.ts'

/** That what was stored reaches every view, and that every event has its effect once. */
export const deliveryGuards: readonly Guard[] = [
  {
    id: 'kafka-carries',
    invariant: 'A message is on the other screen although Redis is dead',
    file: 'services/realtime/src/consumers/events.ts',
    cut: "deliver('kafka', data)",
    leave: 'void data',
    test: { file: partDown, title: 'messages are stored and come over the socket while Redis' },
  },
  {
    id: 'say-degraded',
    invariant: 'Clients are told when realtime hears nothing, and ask',
    file: 'services/realtime/src/main.ts',
    cut: "sockets?.tellAll({ type: 'status', data: { degraded: isDegraded() } })",
    leave: 'undefined',
    test: { file: partDown, title: 'messages are stored and seen while Redis and Kafka' },
  },
  {
    id: 'ask-while-cut-off',
    invariant: 'A view without a line asks every three seconds',
    file: view,
    cut: 'if (error || !live.state.connected || live.state.degraded) return pollMs.cutOff',
    leave: '',
    test: { file: viewTest, title: 'within 3 s while the line is dead' },
  },
  {
    id: 'ask-for-the-gap',
    invariant: 'A view asks for what is missing before a message',
    file: view,
    cut: 'if (list.loaded && lists.hasGap(list)) fetching.now()',
    leave: '',
    test: { file: viewTest, title: 'asks when a message before it is missing' },
  },
  {
    id: 'ask-after-silence',
    invariant: 'After a reconnect a view asks for what was said meanwhile',
    file: view,
    cut: 'if (isGood && !wasGood) {',
    leave: 'if (isGood && wasGood) {',
    test: { file: viewTest, title: 'asks at once when the connection is back' },
  },
  {
    id: 'watermark',
    invariant: 'No hint carries the watermark over a hole',
    file: 'libs/sync/src/message-list.ts',
    cut: 'if (seq !== watermark + 1) break',
    leave: '',
    test: {
      file: 'libs/sync/src/message-list.test.ts',
      title: 'never lets a hint carry the watermark over a hole',
    },
  },
  {
    id: 'sweeper-when-everything-dies',
    invariant: 'Nothing stored stays unsaid, whatever was killed',
    file: 'services/messaging/src/stores/announcer.ts',
    cut: 'const left = await messages.unpublishedBefore(limit, sweepBatch)',
    leave: 'const left: MessageRecord[] = []',
    test: { file: everythingDies, title: dies },
  },
  {
    id: 'notice-once',
    invariant: 'An event that is said again is not done again',
    file: 'services/notify/src/consumers/notices.ts',
    cut: '_id: data.noticeId,',
    leave: '_id: `${data.noticeId}${Math.random()}`,',
    test: { file: everythingDies, title: dies },
  },
  {
    id: 'grant-once',
    invariant: 'A grant that is said again is not given again',
    file: 'services/billing/src/use-cases/grant-premium.ts',
    cut: 'const grant: Grant = { _id: grantId,',
    leave: 'const grant: Grant = { _id: randomUUID(),',
    test: { file: grants, title: 'one grant said 10 times at once is one grant' },
  },
  {
    id: 'ledger-turns',
    invariant: 'Grants at once add up, end to end',
    file: 'services/billing/src/use-cases/grant-premium.ts',
    cut: 'const version = await ctx.ledger.bump(userId, session)',
    leave: 'const version = Date.now()',
    test: { file: grants, title: '10 grants at once over two replicas add up' },
  },
]
