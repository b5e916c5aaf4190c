/** An answer on its way to a client, which can be cut off. */
interface Answer {
  destroy(): unknown
}

export interface AnswerStreams {
  /** Counts an answer that has begun; the function it returns is called when the service has nothing left to hand over. */
  add(owner: string, answer: Answer): () => void
}

/**
 * Bounds the answers that services keep in memory for slow readers: at most `perOwner` of one person or address, and
 * `total` in all. The oldest gives way to a new one.
 */
export function createAnswerStreams(bounds: { perOwner: number; total: number }): AnswerStreams {
  /** In order of their beginning. */
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
    add(owner, answer) {
      owners.set(answer, owner)
      const own = (counts.get(owner) ?? 0) + 1
      counts.set(owner, own)
      if (own > bounds.perOwner) cutOldest((other) => other === owner)
      else if (owners.size > bounds.total) cutOldest(() => true)
      return () => remove(answer)
    },
  }
}
