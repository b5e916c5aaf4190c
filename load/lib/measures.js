import { Counter, Trend } from 'k6/metrics'

/** Milliseconds from the moment a send was due. */
export const toAnswer = new Trend('to_answer', true)
/** The same, until the other side's socket had the message. The clock of both ends is this machine's: whole milliseconds. */
export const toSocket = new Trend('to_socket', true)

export const counters = {
  accepted: new Counter('accepted'),
  stored: new Counter('stored'),
  bySocket: new Counter('delivered_by_socket'),
  byFetch: new Counter('delivered_by_fetch'),
  /** Accepted less stored, and accepted less delivered: by number, and by the sum of their fingerprints. */
  unstored: new Counter('unstored'),
  unstoredPrints: new Counter('unstored_prints'),
  undelivered: new Counter('undelivered'),
  undeliveredPrints: new Counter('undelivered_prints'),
  /** The same message twice: announced, or stored. */
  doubled: new Counter('doubled'),
  /** Holes in the numbers of a conversation. */
  gaps: new Counter('gaps'),
  /** Announced as something else than is stored. */
  altered: new Counter('altered'),
  /** Answers that are neither success nor 5xx. */
  refused: new Counter('refused'),
  /** Sends that had no answer, or a 5xx, to the end of their tries. */
  unanswered: new Counter('unanswered'),
  retried: new Counter('retried'),
  socketsRefused: new Counter('sockets_refused'),
  socketsLost: new Counter('sockets_lost'),
  /** Sockets that were not (or not again) connected at the end. */
  socketsMissing: new Counter('sockets_missing'),
}

/** k6 skips the threshold of a counter without a value: give each one a value, in setup. */
export function touchCounters() {
  for (const counter of Object.values(counters)) counter.add(0)
}

const none = ['count==0']

/** Nothing is lost or doubled, and everything accepted is delivered. */
export const exactDelivery = {
  accepted: ['count>0'],
  unstored: none,
  unstored_prints: none,
  undelivered: none,
  undelivered_prints: none,
  doubled: none,
  gaps: none,
  altered: none,
}

/** Every send is answered, and every socket stays connected. */
export const noErrors = {
  refused: none,
  unanswered: none,
  sockets_refused: none,
  sockets_lost: none,
  sockets_missing: none,
  /** k6 had no virtual user free for a send that was due: the rate was lower than asked. */
  dropped_iterations: none,
}

export const summaryTrendStats = ['med', 'p(95)', 'p(99)', 'max', 'count']
