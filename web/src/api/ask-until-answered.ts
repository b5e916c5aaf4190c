import type { ApiAnswer, ApiRequest, Client } from './client.ts'

const firstDelayMs = 500
const maxDelayMs = 5000
const isPassing = (status: number) => status === 0 || status === 429 || status >= 500

/** Repeats a read after a lost connection, 429 or 5xx, until the server returns data or another error. */
export async function askUntilAnswered({ request }: Client, input: ApiRequest): Promise<ApiAnswer> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, maxDelayMs)) {
    const answer = await request(input)
    if (!('error' in answer) || !isPassing(answer.error.status)) return answer
    await new Promise((resolve) => window.setTimeout(resolve, delayMs))
  }
}
