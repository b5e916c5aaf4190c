/** These counters are 0 if every accepted message was stored and delivered once, in order and unchanged. */
export const losses = ['unstored', 'undelivered', 'doubled', 'gaps', 'altered'] as const

export interface Message {
  seq: number
  clientMessageId: string
  senderId: string
  content: string
}

type Seen = Omit<Message, 'content'>

/**
 * Compares the messages that one person's socket announced with the history of the conversation. `lastSeq` is the
 * number of the conversation's newest message before the run.
 */
export function createLedger(userId: string, lastSeq: number, isOurs: (clientMessageId: string) => boolean) {
  const announced = new Map<number, string>()
  let doubled = 0

  return {
    /** Records an announced message; returns whether it is new and from the other person. */
    see({ seq, clientMessageId, senderId }: Seen): boolean {
      if (!isOurs(clientMessageId)) return false
      if (announced.has(seq)) {
        doubled += 1
        return false
      }
      announced.set(seq, clientMessageId)
      return senderId !== userId
    },
    /** Counts differences between the history since `lastSeq` and the announcements. */
    settle(history: readonly Seen[]) {
      const found = { stored: 0, delivered_by_socket: 0, delivered_by_fetch: 0, doubled, gaps: 0, altered: 0 }
      const ids = new Set<string>()
      let expected = lastSeq + 1
      for (const { seq, clientMessageId, senderId } of history) {
        if (seq !== expected) found.gaps += 1
        expected = seq + 1
        if (ids.has(clientMessageId)) found.doubled += 1
        ids.add(clientMessageId)
        if (!isOurs(clientMessageId)) continue
        const id = announced.get(seq)
        announced.delete(seq)
        if (id !== undefined && id !== clientMessageId) found.altered += 1
        if (senderId === userId) found.stored += 1
        else if (id === undefined) found.delivered_by_fetch += 1
        else found.delivered_by_socket += 1
      }
      // The remaining messages were announced but are not in the history.
      found.altered += announced.size
      return found
    },
  }
}
