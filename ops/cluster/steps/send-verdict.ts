export interface StoredMessage {
  id: string
  clientMessageId: string
}

/** A load wrote these messages, and a history and a socket showed these. */
export interface SendRecord {
  /** The stored message's id by `clientMessageId`; undefined when no send of it was accepted. */
  accepted: ReadonlyMap<string, string | undefined>
  stored: readonly StoredMessage[]
  /** The id of each message that came over the other person's socket, in the order of arrival. */
  events: readonly string[]
}

export interface SendVerdict {
  written: number
  lost: string[]
  doubled: string[]
  /** The socket announced these messages, which are not stored. */
  invented: string[]
  announced: number
  /** The socket announced this many messages more than once; the client drops the second event. */
  announcedAgain: number
}

/** Compares what was accepted with what is stored and with what the sockets announced. */
export function judgeSends({ accepted, stored, events }: SendRecord): SendVerdict {
  const ours = stored.filter(({ clientMessageId }) => accepted.has(clientMessageId))
  const ids = new Set(ours.map(({ id }) => id))
  const countOf = Map.groupBy(ours, ({ clientMessageId }) => clientMessageId)
  const announced = new Set(events)
  return {
    written: accepted.size,
    lost: [...accepted].filter(([, id]) => id === undefined || !ids.has(id)).map(([key]) => key),
    doubled: [...countOf].filter(([, messages]) => messages.length > 1).map(([key]) => key),
    invented: [...announced].filter((id) => !ids.has(id)),
    announced: announced.size,
    announcedAgain: events.length - announced.size,
  }
}

/** Throws an error that names the first messages that are lost, doubled or invented. */
export function requireExact({ written, lost, doubled, invented }: SendVerdict): void {
  const faults = Object.entries({ lost, doubled, invented }).filter(([, keys]) => keys.length > 0)
  if (written === 0) throw new Error('The load wrote no message.')
  if (faults.length === 0) return
  const lines = faults.map(([name, keys]) => `${keys.length} ${name} (${keys.slice(0, 3).join(', ')})`)
  throw new Error(`Of ${written} messages ${lines.join(', ')}.`)
}
