import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { getCsrfToken } from '@sumlock/contracts/gateway-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { lightHttp, requestText } from './light-http.ts'
import type { LightAnswer } from './light-http.ts'
import { listenTo } from './light-socket.ts'
import { openModel } from './open-model.ts'
import type { Pair, Seat } from './seats.ts'

export type CsrfMode = 'token at hand' | 'token fetched before each send'

/** One send. Times on the clock of `performance.now()`; NaN for what did not happen. */
export interface Flight {
  id: string
  dueAtMs: number
  writtenAtMs: number
  /** When the 201 was read. */
  answeredAtMs: number
  /** Each time the recipient's socket said so. */
  seenAtMs: number[]
}

export interface Load {
  flights: Flight[]
  /** Statuses other than 201, and connection errors, with their counts. */
  refusals: Record<string, number>
}

export interface LoadOptions {
  ratePerSecond: number
  seconds: number
  csrf: CsrfMode
}

export interface SendLoad {
  /** Sends at a fixed rate, turn by turn in all conversations, and waits until all was answered and seen (10 s at most). */
  run(options: LoadOptions): Promise<Load>
  close(): void
}

export const isAccepted = ({ answeredAtMs }: Flight): boolean => !Number.isNaN(answeredAtMs)
const deliverWithinMs = 10_000

/** Connects a socket for each person, through the gateway. */
export async function openSendLoad(stack: Stack, pairs: readonly Pair[]): Promise<SendLoad> {
  const http = lightHttp(stack.gatewayUrl)
  const flights = new Map<string, Flight>()
  const sockets = await connectAll(pairs, (clientMessageId) =>
    flights.get(clientMessageId)?.seenAtMs.push(performance.now()),
  )
  let turn = 0
  const nextSeat = (): Seat => {
    const pair = pairs[turn % pairs.length] as Pair
    return pair[Math.floor(turn++ / pairs.length) % 2] as Seat
  }

  return {
    async run({ csrf, ...rate }) {
      flights.clear()
      const refusals: Record<string, number> = {}
      const underWay = new Set<Promise<void>>()
      await openModel(rate, (dueAtMs) => {
        const flight: Flight = {
          id: randomUUID(),
          dueAtMs,
          writtenAtMs: NaN,
          answeredAtMs: NaN,
          seenAtMs: [],
        }
        flights.set(flight.id, flight)
        const done = send(nextSeat(), flight.id, csrf, http.exchange)
          .then(({ status, writtenAtMs }) => {
            flight.writtenAtMs = writtenAtMs
            return status
          })
          .catch((error: unknown) => String((error as { code?: string }).code ?? error))
          .then((status) => {
            if (status === 201) flight.answeredAtMs = performance.now()
            else refusals[status] = (refusals[status] ?? 0) + 1
            underWay.delete(done)
          })
        underWay.add(done)
      })
      await Promise.all(underWay)
      const deadline = performance.now() + deliverWithinMs
      const isMissing = (flight: Flight) => isAccepted(flight) && flight.seenAtMs.length === 0
      while ([...flights.values()].some(isMissing) && performance.now() < deadline) await wait(20)
      return { flights: [...flights.values()], refusals }
    },
    close() {
      http.close()
      for (const socket of sockets) socket.close()
    },
  }
}

async function connectAll(pairs: readonly Pair[], seen: (clientMessageId: string) => void) {
  const sockets: { close(): void }[] = []
  for (const pair of pairs)
    sockets.push(
      ...(await Promise.all(
        pair.map(({ person }) => listenTo(person, ({ clientMessageId }) => seen(clientMessageId))),
      )),
    )
  return sockets
}

async function send(
  { person: { client }, conversationId }: Seat,
  clientMessageId: string,
  csrf: CsrfMode,
  exchange: (request: string) => Promise<LightAnswer>,
): Promise<LightAnswer> {
  const { gatewayUrl, origin } = client
  let token = client.keptToken ?? ''
  let cookie = client.cookieHeader
  if (csrf === 'token fetched before each send') {
    const headers = { cookie, origin }
    const answer = await exchange(
      requestText(gatewayUrl, { method: 'GET', path: getCsrfToken.path, headers }),
    )
    token = (JSON.parse(answer.body) as { csrfToken: string }).csrfToken
    cookie = renewed(cookie, answer.head)
  }
  const body = JSON.stringify({
    ...{ conversationId, clientMessageId, messageType: 'text' },
    content: 'How are you today?',
  })
  const headers = { cookie, origin, 'x-csrf-token': token }
  return exchange(
    requestText(gatewayUrl, { method: sendMessage.method, path: sendMessage.path, headers, body }),
  )
}

/** Two sends of one session may overlap: each has to go out with the cookie its own token was made for. */
function renewed(cookie: string, head: string): string {
  const given = [...head.matchAll(/\r\nset-cookie: ([^;\r]+)/gi)].map(([, pair]) => pair as string)
  const names = new Set(given.map((pair) => pair.split('=', 1)[0]))
  const kept = cookie.split('; ').filter((pair) => !names.has(pair.split('=', 1)[0]))
  return [...kept, ...given].join('; ')
}
