const everyMs = 10_000

/** Says so once each time the disk runs full; `warning` answers with the sentence, or null while there is room. */
export function watchDisk(warning: () => string | null, report: (line: string) => void): () => void {
  let warned = false
  const timer = setInterval(() => {
    const sentence = warning()
    if (sentence !== null && !warned) report(sentence)
    warned = sentence !== null
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
