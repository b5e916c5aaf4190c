interface Answer {
  destroy(): unknown
}

/**
 * Bounds the answers that wait in memory for slow readers: at most `perOwner` of one person or address, and `total` in
 * all. A new answer cuts off the oldest (`onCutOff`). The function that `add` returns is called when the system has taken the
 * whole answer.
 */
export function createUnreadAnswers(
  { perOwner, total }: { perOwner: number; total: number },
  onCutOff: () => void = () => undefined,
) {
  // Not a Map, which may keep answers until a full collection (docs/profiles.md, "What outlives a request").
  /** Oldest first, at most `total`. */
  const unread: { owner: string; answer: Answer }[] = []

  const remove = (entry: (typeof unread)[number]) => {
    const index = unread.indexOf(entry)
    if (index >= 0) unread.splice(index, 1)
  }
  const cutOff = (oldest: (typeof unread)[number] | undefined) => {
    if (!oldest) return
    remove(oldest)
    oldest.answer.destroy()
    onCutOff()
  }

  return {
    add(owner: string, answer: Answer): () => void {
      const entry = { owner, answer }
      unread.push(entry)
      const own = unread.filter((other) => other.owner === owner)
      if (own.length > perOwner) cutOff(own[0])
      else if (unread.length > total) cutOff(unread[0])
      return () => remove(entry)
    },
  }
}
