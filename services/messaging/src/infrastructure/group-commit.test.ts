import { messageKey } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { createGroupCommit, TooLateError } from './group-commit.ts'
import type { InsertReply } from './group-commit.ts'

const record = (seq: number): MessageRecord => ({
  _id: messageKey('c', seq),
  messageId: `m${seq}`,
  conversationId: 'c',
  senderId: 's',
  memberIds: ['s', 'o'],
  seq,
  clientMessageId: `k${seq}`,
  content: 'x',
  messageType: 'text',
  mediaUrl: null,
  createdAt: new Date(0),
  unpublished: true,
  counts: [seq, 0],
})

/** Waits until the effects of an answer have happened. */
const settled = () => new Promise(setImmediate)

function setUp() {
  const commands: {
    documents: readonly MessageRecord[]
    answer: (reply?: InsertReply) => void
    fail: (error: unknown) => void
  }[] = []
  const commit = createGroupCommit(
    ({ documents }) =>
      new Promise((resolve, fail) =>
        commands.push({ documents, answer: (reply = {}) => resolve(reply), fail }),
      ),
  )
  return { commands, commit }
}

describe('group commit', () => {
  it('writes a single message at once and collects the messages that arrive during the command', async () => {
    const { commands, commit } = setUp()
    const all = [1, 2, 3].map((seq) => commit.insert(record(seq)))
    expect(commands.map(({ documents }) => documents.length)).toEqual([1])
    commands[0]?.answer()
    await all[0]
    await settled()
    expect(commands.map(({ documents }) => documents.length)).toEqual([1, 2])
    commands[1]?.answer()
    await Promise.all(all)
  })

  it('begins the next command as soon as the one before it has ended', async () => {
    const { commands, commit } = setUp()
    const first = commit.insert(record(1))
    commands[0]?.answer()
    await first
    const second = commit.insert(record(2))
    await settled()
    expect(commands).toHaveLength(2)
    commands[1]?.answer()
    await second
  })

  it('puts at most 200 messages into one command', async () => {
    const { commands, commit } = setUp()
    void commit.insert(record(0))
    for (let seq = 1; seq <= 250; seq += 1) void commit.insert(record(seq))
    commands[0]?.answer()
    await settled()
    expect(commands[1]?.documents).toHaveLength(200)
  })

  it('gives each caller the result of its own message', async () => {
    const { commands, commit } = setUp()
    const first = commit.insert(record(0))
    const rest = [1, 2, 3, 4].map((seq) => commit.insert(record(seq)))
    commands[0]?.answer()
    await first
    await settled()
    const duplicate = (index: number, name: string) => ({
      index,
      code: 11000,
      errmsg: `E11000 … index: ${name} dup key`,
    })
    commands[1]?.answer({
      writeErrors: [duplicate(0, 'clientMessageId'), duplicate(3, '_id_')],
    })
    const fates = await Promise.allSettled(rest)
    expect(
      fates.map((fate) => (fate.status === 'rejected' ? (fate.reason as { index: string }).index : 'stored')),
    ).toEqual(['clientMessageId', 'stored', 'stored', '_id'])
  })

  it('leaves out a message that became too late while the command before it was running', async () => {
    const { commands, commit } = setUp()
    const first = commit.insert(record(0))
    let isTooLate = false
    const late = commit.insert(record(1), () => isTooLate)
    const next = commit.insert(record(2), () => false)
    isTooLate = true
    commands[0]?.answer()
    await expect(late).rejects.toThrow(TooLateError)
    expect(commands[1]?.documents.map(({ seq }) => seq)).toEqual([2])
    commands[1]?.answer()
    await Promise.all([first, next])
  })

  it('acknowledges nothing when the command failed as a whole, and runs the next one', async () => {
    const { commands, commit } = setUp()
    const lost = commit.insert(record(1))
    commands[0]?.fail(new Error('connection lost'))
    await expect(lost).rejects.toThrow('connection lost')
    const next = commit.insert(record(2))
    await settled()
    commands[1]?.answer()
    await next
  })

  it('acknowledges nothing when the write concern was not met, not even messages that no index refused', async () => {
    const { commands, commit } = setUp()
    const first = commit.insert(record(0))
    const rest = [1, 2].map((seq) => commit.insert(record(seq)))
    commands[0]?.answer()
    await first
    await settled()
    commands[1]?.answer({
      writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000 index: _id_ dup key' }],
      writeConcernError: { code: 64 },
    })
    for (const doubtful of rest)
      await expect(doubtful).rejects.toThrow('the majority did not acknowledge an insert: 64')
  })

  it('reports a duplicate of an unknown index as a plain error', async () => {
    const { commands, commit } = setUp()
    const refused = commit.insert(record(1))
    commands[0]?.answer({ writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000 index: another dup key' }] })
    await expect(refused).rejects.toThrow('MongoDB refused an insert with code 11000')
  })
})
