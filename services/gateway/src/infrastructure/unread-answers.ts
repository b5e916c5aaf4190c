interface Answer {
  destroy(): unknown
}

/**
 * Bounds the answers that services keep in memory for slow readers: at most `perOwner` of one person or address, and
 * `total` in all. A new answer cuts off the oldest. The function that `add` returns is called when the service has
 * handed over the whole answer.
 */
export function createUnreadAnswers(bounds: { perOwner: number; total: number }) {
  /** Oldest first. */
  const owners = new Map<Answer, string>()
  const counts = new Map<string, number>()

  const remove = (answer: Answer) => {
    const owner = owners.get(answer)
    if (owner === undefined) return
    owners.delete(answer)
    const left = (counts.get(owner) ?? 0) - 1
    if (left > 0) counts.set(owner, left)
    else counts.delete(owner)
  }
  const cutOldest = (isCut: (owner: string) => boolean) => {
    for (const [answer, owner] of owners) {
      if (!isCut(owner)) continue
      remove(answer)
      answer.destroy()
      return
    }
  }

  return {
    add(owner: string, answer: Answer): () => void {
      owners.set(answer, owner)
      const own = (counts.get(owner) ?? 0) + 1
      counts.set(owner, own)
      if (own > bounds.perOwner) cutOldest((other) => other === owner)
      else if (owners.size > bounds.total) cutOldest(() => true)
      return () => remove(answer)
    },
  }
}
