import { exchangeSession } from '@sumlock/contracts/internal-routes'
import { createInternalClient } from '@sumlock/service-kit/internal-client'
import { sessionCookie } from '@sumlock/contracts/cookies'
import type { Stack } from '@sumlock/dev/product/services'
import type { Person } from '../kit/people.ts'
import { closedModel } from '../bench/closed-model.ts'
import { fillConversation } from '../bench/fill-conversation.ts'
import { gatewayChart, gatewayReport, gatewayTable } from '../bench/gateway-report.ts'
import type { DoorRun, GatewayRun } from '../bench/gateway-report.ts'
import { lightHttp, requestText } from '../bench/light-http.ts'
import { watchUsage } from '../bench/process-usage.ts'
import { reseat, seatPairs } from '../bench/seats.ts'
import type { Seat } from '../bench/seats.ts'
import { isSmall, runBench } from '../bench/workbench.ts'
import { writeSection } from '../bench/write-section.ts'

const concurrency = 16
const pairCount = 5
const [seconds, warmUpSeconds] = isSmall ? [2, 1] : [15, 2]
const wanted = [
  { what: 'list of conversations', path: () => '/api/conversations' },
  {
    what: 'page of 50 messages',
    path: ({ conversationId }: Seat) => `/api/conversations/${conversationId}/messages`,
  },
]

await runBench({
  async prepare(stack) {
    const pairs = await seatPairs(stack, pairCount)
    for (const [{ conversationId }] of pairs) await fillConversation(stack, conversationId, 100)
    return pairs
  },
  async measure({ stack, processes, where, progress }, people) {
    const seats = (await reseat(stack, people)).flat()
    const refusals: string[] = []

    const door = async (
      baseUrl: string,
      askedProcess: string,
      texts: readonly string[],
    ): Promise<DoorRun> => {
      const http = lightHttp(baseUrl)
      const ask = async (turn: number) => {
        const answer = await http.exchange(texts[turn % texts.length] as string)
        if (answer.status !== 200) refusals.push(`${askedProcess}: ${answer.status} ${answer.body}`)
        return performance.now() - answer.writtenAtMs
      }
      await closedModel({ concurrency, seconds: warmUpSeconds }, ask)
      const usage = watchUsage(processes.filter(({ name }) => name === askedProcess))
      const run = await closedModel({ concurrency, seconds }, ask)
      const [used] = usage()
      http.close()
      return { run, cpuSeconds: used?.cpuSeconds ?? NaN }
    }

    const runs: GatewayRun[] = []
    const messagingUrl = stack.service('messaging').publicUrl
    for (const { what, path } of wanted) {
      progress(`${what}, through the gateway and direct, ${seconds} s each …`)
      const texts = (baseUrl: string, headersOf: (person: Person) => Record<string, string>) =>
        seats.map((seat) =>
          requestText(baseUrl, { method: 'GET', path: path(seat), headers: headersOf(seat.person) }),
        )
      const throughGateway = await door(
        stack.gatewayUrl,
        'gateway-1',
        texts(stack.gatewayUrl, ({ client }) => ({ cookie: client.cookieHeader, origin: client.origin })),
      )
      // Just before they are used: a token lives for a minute.
      const tokens = await tokensOf(stack, seats)
      const direct = await door(
        messagingUrl,
        'messaging-1',
        texts(messagingUrl, ({ user }) => ({ authorization: `Bearer ${tokens.get(user.id)}` })),
      )
      runs.push({ what, throughGateway, direct })
    }
    process.stdout.write(`${gatewayTable(runs)}\n`)
    for (const refusal of refusals.slice(0, 10)) process.stdout.write(`REFUSED: ${refusal}\n`)
    if (!isSmall && refusals.length === 0)
      await writeSection('bench:gateway', gatewayReport(runs, concurrency, where), {
        gateway: gatewayChart(runs),
      })
    return refusals.length === 0
  },
})

/** As the gateway gets them. */
async function tokensOf(stack: Stack, seats: readonly Seat[]): Promise<Map<string, string>> {
  const auth = createInternalClient({
    caller: 'gateway',
    secret: stack.secrets.internalSecrets.gateway,
    baseUrls: [stack.service('auth').internalUrl],
  })
  const tokens = new Map<string, string>()
  for (const { person } of seats) {
    const cookie = person.client.cookies.get(sessionCookie(true)) ?? ''
    tokens.set(person.user.id, (await auth.call(exchangeSession, { body: { cookie } })).token)
  }
  return tokens
}
