import { sleep } from 'k6'

/**
 * Asks again while the answer is 429, after what it says in Retry-After or about a second; returns the last answer and
 * how often it was 429.
 */
export function untilLetIn(ask, withinMs) {
  const giveUpAt = Date.now() + withinMs
  for (let refusals = 0; ; refusals += 1) {
    const answer = ask()
    const waitSeconds = Number(answer.headers['Retry-After'] ?? 0.5 + Math.random())
    if (answer.status !== 429 || Date.now() + waitSeconds * 1000 > giveUpAt) return { answer, refusals }
    sleep(waitSeconds)
  }
}

/** Sleeps until a moment that all people share, so that they ask at once. */
export const sleepUntil = (atMs) => sleep(Math.max(0, atMs - Date.now()) / 1000)
