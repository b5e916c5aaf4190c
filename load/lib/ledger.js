/** What one person's socket announced in a conversation, to be settled with what the history says afterwards. */
export function createLedger({ userId, lastSeq, isOurs }) {
  const seen = new Map()
  let doubled = 0

  return {
    lastSeq,
    /** Takes an announced message; true when it is the other's and new. */
    see({ seq, clientMessageId, senderId }) {
      if (!isOurs(clientMessageId)) return false
      if (seen.has(seq)) {
        doubled += 1
        return false
      }
      seen.set(seq, clientMessageId)
      return senderId !== userId
    },
    settle(history) {
      const found = { stored: [], delivered: [], bySocket: 0, byFetch: 0, doubled, gaps: 0, altered: 0 }
      const ids = new Set()
      let expected = lastSeq + 1
      for (const message of history) {
        if (message.seq !== expected) found.gaps += 1
        expected = message.seq + 1
        if (ids.has(message.clientMessageId)) found.doubled += 1
        ids.add(message.clientMessageId)
        if (!isOurs(message.clientMessageId)) continue
        const announced = seen.get(message.seq)
        seen.delete(message.seq)
        if (announced !== undefined && announced !== message.clientMessageId) found.altered += 1
        if (message.senderId === userId) {
          found.stored.push(message)
          continue
        }
        found.delivered.push(message)
        if (announced === undefined) found.byFetch += 1
        else found.bySocket += 1
      }
      // Announced, and not in the history.
      found.altered += seen.size
      return found
    },
  }
}
