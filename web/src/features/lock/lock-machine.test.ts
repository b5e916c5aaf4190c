import fc from 'fast-check'
import { lockStates, transition } from './lock-machine.ts'
import type { LockEvent, LockState, Step } from './lock-machine.ts'

const events = [
  'arrived',
  'left',
  'unproven',
  'said-open',
  'said-locked',
  'said-signed-out',
  'session-lost',
  'signed-out',
  'tried',
  'right',
  'wrong',
  'lost',
  'locked-elsewhere',
  'confirmed',
  'failed',
  'retried',
] as const satisfies readonly LockEvent[]

// Compilation fails when an event is missing from the list above.
type Missing = Exclude<LockEvent, (typeof events)[number]>
const isComplete: Missing extends never ? true : false = true

/**
 * The next state and effects of each event in each state; a dash changes nothing. The columns are the events in the
 * order above.
 */
const table: Record<LockState, string> = {
  unknown:
    'unknown+record|locking+record+flee|locking+record+send|open|calculator+forget+discard|ended+forget|ended+sign-in|ended+replace|trying|locking+record+send|-|locking+record+send|locking+record+send|-|-|-',
  calculator:
    'unknown+record|locking+record+flee|locking+record+send|open|calculator+forget|ended+forget|ended+sign-in|ended+replace|trying|locking+record+send|-|locking+record+send|-|-|-|-',
  trying:
    '-|locking+record+flee|-|-|-|ended+forget|ended+sign-in|ended+replace|-|open+forget|calculator|locking+record+send|-|-|-|-',
  open: 'locking+record+close|locking+record+flee|-|-|calculator+replace|ended+sign-in|ended+sign-in|ended+replace|-|-|-|locking+record+send|owed+replace|-|-|-',
  locking:
    '-|locking+record+flee|-|-|-|-|-|-|-|locking+record+send|-|locking+record+send|-|calculator+forget+remove-copies+discard|owed+retry-later|-',
  owed: '-|locking+record+flee|-|-|-|-|-|-|-|locking+record+send|-|locking+record+send|-|-|-|locking+send',
  ended:
    '-|ended+replace|-|open|calculator|-|-|ended+replace|-|locking+record+send|-|locking+record+send|-|-|-|-',
}

const pairs = lockStates.flatMap((state) => events.map((event) => [state, event] as const))

it('the table has seven states and every event', () => {
  expect(lockStates).toEqual(['unknown', 'calculator', 'trying', 'open', 'locking', 'owed', 'ended'])
  expect(isComplete).toBe(true)
})

it.each(pairs)('in the state %s, the event %s leads where the table says', (state, event) => {
  const expected = table[state].split('|')[events.indexOf(event)]
  const step = transition(state, event).join('+')
  expect(step).toBe(expected === '-' ? state : expected)
})

interface Walk {
  before: LockState
  event: LockEvent
  step: Step
  /** Whether a recorded lock waits for its answer. */
  isOwed: boolean
}

/** Walks through the states of a page from its load on. */
function walk(start: 'unknown' | 'owed', taken: readonly LockEvent[]): Walk[] {
  let state: LockState = start
  let isOwed = start === 'owed'
  return taken.map((event) => {
    const before = state
    const step = transition(state, event)
    state = step[0]
    if (step[0] === 'locking') isOwed = true
    if (before === 'locking' && event === 'confirmed') isOwed = false
    return { before, event, step, isOwed }
  })
}

const anyWalk = fc.tuple(
  fc.constantFrom('unknown' as const, 'owed' as const),
  fc.array(fc.constantFrom(...events), { maxLength: 40 }),
)
const holds = (claim: (one: Walk) => boolean) =>
  fc.assert(
    fc.property(anyWalk, ([start, taken]) => walk(start, taken).every(claim)),
    { numRuns: 2000 },
  )

it('only a right number or an answer of the server opens', () => {
  holds(
    ({ before, event, step }) => step[0] !== 'open' || before === 'open' || /^(right|said-open)$/.test(event),
  )
  holds(
    ({ before, event, step }) => event !== 'right' || step[0] !== 'open' || /^(trying|open)$/.test(before),
  )
})

it('only the answer to a lock settles what is owed', () => {
  holds(({ step, isOwed }) => !isOwed || step[0] === 'locking' || step[0] === 'owed')
  holds(({ step, isOwed }) => !isOwed || !step.includes('forget'))
})

it('a lock is recorded before it is sent, and before its page is replaced', () => {
  holds(({ before, step }) => {
    const sends = step.findIndex((part) => part === 'send' || part === 'close' || part === 'flee')
    return sends < 0 || before === 'owed' || step[1] === 'record'
  })
})

it('an open page closes at every event that says so, and its content is replaced or its lock is sent', () => {
  holds(
    ({ before, step }) =>
      before !== 'open' ||
      step[0] === 'open' ||
      step.slice(1).some((effect) => /^(close|flee|replace|sign-in|send)$/.test(effect)),
  )
})

it('a failed lock is tried again later', () => {
  holds(({ event, before, step }) => event !== 'failed' || before !== 'locking' || step[1] === 'retry-later')
})
