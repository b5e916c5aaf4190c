import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

/**
 * A guard is a line of the product below its comment `// guard: <id>`. If the line is changed as described here, the
 * test has to fail.
 */
interface GuardRow {
  /** The title of the test contains this text. */
  title: string
  /** This text is removed. By default, it is the whole line below the comment. */
  cut?: string
  /** This text takes the place of the removed one; by default, nothing does. */
  leave?: string
}

export interface Guard extends GuardRow {
  id: string
  file: string
  testFile: string
}

/**
 * Without one of these lines, something would be leaked, lost or doubled. They are grouped by the file of their test,
 * which runs on real engines. There are at most 40, so a new one replaces another.
 */
const rows: Readonly<Record<string, Readonly<Record<string, GuardRow>>>> = {
  'testing/system/part-down.full.test.ts': {
    'durable-write': {
      cut: "{ w: 'majority', j: true }",
      leave: '{ w: 1, j: false }',
      title: 'answers 503 in time while MongoDB',
    },
    'unlock-required': { title: 'answers 503 in time while messaging' },
  },
  'services/messaging/test/parallel-sends.test.ts': {
    'stored-once': { cut: 'unique: true,', title: 'store one message sent 20 times under one' },
  },
  'testing/system/free-limit.test.ts': {
    'one-slot-a-day': {
      cut: 'return false',
      leave: 'return true',
      title: 'stores exactly one of a hundred first messages',
    },
  },
  'services/messaging/test/conversations.test.ts': {
    'members-only': { title: 'gets the same answer for an existing' },
    'members-read': { title: 'gets the same answer for an existing' },
    'one-per-pair': { cut: ', unique: true', title: 'creates one conversation when both sides open it many' },
    'cleared-is-gone': { title: 'omits the messages that the reader cleared' },
  },
  'services/messaging/test/sealed-messages.test.ts': {
    'former-key-refused': { title: 'sealed for a former key is refused' },
  },
  'services/messaging/test/media.test.ts': {
    'media-of-the-sender': { cut: ', ownerId: senderId', title: 'takes only what its sender uploaded' },
    'media-for-members': {
      cut: 'row.ownerId === userId',
      leave: 'true',
      title: 'is refused to all but its uploader until it is sent',
    },
    'answer-ends-with-unlock': {
      cut: '!ended',
      leave: 'true',
      title: 'ends when the reader locks or the conversation is deleted',
    },
  },
  'services/messaging/test/vanishing.test.ts': {
    'vanished-is-empty': {
      leave: 'return false',
      title: 'vanishes for its sender after its time, and stays for',
    },
    'reading-starts-time': { title: 'vanishes for its sender after its time, and stays for' },
  },
  'services/messaging/test/vanishing-unnoticed.test.ts': {
    'vanished-media': {
      cut: '!isOverNow && ',
      title: 'shows its sender the same whether it was read in secret',
    },
  },
  'services/messaging/test/after-a-crash.test.ts': {
    'message-sweeper': { leave: 'const left: MessageRecord[] = []', title: 'publishes every stored message' },
  },
  'services/billing/test/grants.test.ts': {
    'grant-once': { cut: '_id: grantId', leave: '_id: randomUUID()', title: 'makes one grant of 10' },
  },
  'libs/bus/test/outbox.test.ts': {
    'outbox-in-transaction': { cut: ', { session }', title: 'publishes nothing of a transaction that was' },
    'outbox-sweeper': { leave: 'return Promise.resolve()', title: 'publishes events that a crashed process' },
    'outbox-keeps-unpublished': { leave: 'await rows.deleteMany({})', title: 'removes events published a' },
  },
  'libs/bus/test/consume.test.ts': {
    'dead-letter': { title: 'sends an event that cannot be handled to the dead-letter topic' },
    'retry-until-available': { title: 'retries an event while a dependency is away' },
    'offset-after-effect': { title: 'finishes the present event when it is stopped' },
  },
  'services/gateway/test/edge.test.ts': {
    'header-hygiene': { cut: '.filter(([name]) => keep.has(name))', title: 'is forwarded without other' },
    'csrf-token': { title: ' is refused and changes nothing' },
    'token-audience': { title: 'is proved to each service by a token that the others refuse' },
  },
  'testing/system/access-matrix.test.ts': {
    'session-required': { title: 'decides every call of' },
  },
  'testing/system/revocation.full.test.ts': {
    'forget-what-changed': {
      cut: 'sessionChanges.has(upstream.route)',
      leave: 'false',
      title: 'is in force in the very next request of the device that made it',
    },
    'recheck-changed': { title: 'is in force everywhere within five seconds, without Redis' },
  },
  'testing/system/lock.test.ts': {
    'locked-socket': { title: 'answers 423 on every guarded route and refuses the socket' },
  },
  'testing/system/bad-input.sized.test.ts': {
    'checked-input': {
      cut: 'if (parsed.success) return parsed.data',
      leave: 'if (parsed.success || value) return value',
      title: 'refuses every bad request of every route',
    },
  },
  'services/messaging/test/conversation-state.test.ts': {
    'blocked-is-hidden': { title: 'gives the blocker deleted messages' },
  },
  'services/auth/test/sessions.test.ts': {
    'lock-outlasts-waiting-unlock': {
      cut: 'lockCount: seen.lockCount ?? null, ',
      title: 'is refused when a lock was requested after its entry arrived, also for a locked session',
    },
  },
  'services/auth/test/accounts.test.ts': {
    'revoked-is-dead': { title: 'replaces the session at a new sign-in, and ends' },
    'proof-of-this-phone': { title: 'refuses a registration without a proof of exactly this phone' },
  },
  'services/auth/test/guesses.sized.test.ts': {
    'phone-guesses': { title: 'refuses the right phone code after' },
  },
  'services/auth/test/unlock-budget.test.ts': {
    'one-turn-at-a-time': { cut: 'return false', leave: 'return true', title: 'compares at most one entry' },
  },
  'services/auth/test/numeric-password.test.ts': {
    'revoke-at-twenty': { title: 'ends the session at the twentieth wrong number in password mode' },
  },
  'services/auth/test/sign-in.test.ts': {
    'sign-in-budget': { cut: '{ $gte: [beyond, 0] }', leave: 'false', title: 'is compared ten times' },
  },
  'services/auth/test/discreet-mode.test.ts': {
    'discreet-while-locked': { leave: 'false', title: 'shows a locked session five fields' },
  },
}

/** Returns all guards. Throws if the comment of one is missing or occurs twice. */
export function listGuards(): Guard[] {
  const commented = globSync('{libs,services}/*/src/**/*.ts', { cwd: repoRoot }).flatMap((file) =>
    [...readFileSync(join(repoRoot, file), 'utf8').matchAll(/\/\/ guard: (.+)/g)].map(([, id]) => ({
      id,
      file,
    })),
  )
  return Object.entries(rows).flatMap(([testFile, ofTest]) =>
    Object.entries(ofTest).map(([id, row]) => {
      const [found, other] = commented.filter((comment) => comment.id === id)
      if (!found || other) throw new Error(`"// guard: ${id}" must occur once in the sources.`)
      return { id, testFile, file: found.file, ...row }
    }),
  )
}

/** Returns the source with the change of a guard. Throws if the comment or the text is missing. */
export function withoutGuard(source: string, { id, file, cut, leave = '' }: Guard): string {
  const [whole = '', line = ''] = new RegExp(`// guard: ${id}\n *(.+)`).exec(source) ?? []
  const start = source.indexOf(whole)
  const text = cut ?? line
  const from = source.indexOf(text, start)
  if (text === '' || from < 0) throw new Error(`${file} has no "// guard: ${id}" followed by: ${text}`)
  return source.slice(0, from) + leave + source.slice(from + text.length)
}
