interface Answer {
  destroy(): unknown
}

/**
 * Bounds the answers that wait in memory for slow readers: at most `perOwner` for one person or address, and `total` in
 * all. A new answer beyond these bounds cuts off the oldest one and calls `onCutOff`. The function that `add` returns must
 * be called when the system has taken the whole answer.
 */
export function createUnreadAnswers(
  { perOwner, total }: { perOwner: number; total: number },
  onCutOff: () => void = () => undefined,
) {
  /** The set has the oldest answer first and at most `total` entries. */
  const unread = new Set<{ owner: string; answer: Answer }>()

  return {
    add(owner: string, answer: Answer): () => void {
      const entry = { owner, answer }
      unread.add(entry)
      const all = [...unread]
      const own = all.filter((other) => other.owner === owner)
      const oldest = own.length > perOwner ? own[0] : all.length > total ? all[0] : undefined
      if (oldest) {
        unread.delete(oldest)
        oldest.answer.destroy()
        onCutOff()
      }
      return () => void unread.delete(entry)
    },
  }
}
