import type { Message } from '@sumlock/contracts/messaging-routes'
import { closedModel } from '../bench/closed-model.ts'
import { fillConversation } from '../bench/fill-conversation.ts'
import { deepBefore, expectedSeqs } from '../bench/history-pages.ts'
import { historyChart, historyReport, historyTable } from '../bench/history-report.ts'
import type { HistoryRun } from '../bench/history-report.ts'
import { lightHttp, requestText } from '../bench/light-http.ts'
import { watchUsage } from '../bench/process-usage.ts'
import { reseat, seatPairs } from '../bench/seats.ts'
import type { Seat } from '../bench/seats.ts'
import { isSmall, runBench } from '../bench/workbench.ts'
import { writeSection } from '../bench/write-section.ts'

const sizes = isSmall ? [100, 1000] : [100, 10_000, 1_000_000]
const requests = isSmall ? 50 : 1000

await runBench({
  async prepare(stack, progress) {
    const pairs = await seatPairs(stack, sizes.length)
    for (const [index, size] of sizes.entries()) {
      progress(`Filling a conversation with ${size} messages …`)
      await fillConversation(stack, pairs[index]?.[0].conversationId as string, size)
    }
    return pairs
  },
  async measure({ stack, processes, where, progress }, people) {
    const pairs = await reseat(stack, people)
    const http = lightHttp(stack.gatewayUrl)
    const faults: string[] = []
    const page = async ({ person, conversationId }: Seat, messages: number, before?: number) => {
      const { gatewayUrl, origin, cookieHeader: cookie } = person.client
      const query = before === undefined ? '' : `?before=${before}`
      const path = `/api/conversations/${conversationId}/messages${query}`
      const answer = await http.exchange(
        requestText(gatewayUrl, { method: 'GET', path, headers: { cookie, origin } }),
      )
      const tookMs = performance.now() - answer.writtenAtMs
      const seqs = answer.status === 200 ? (JSON.parse(answer.body) as Message[]).map(({ seq }) => seq) : []
      const { first, last } = expectedSeqs(messages, before)
      if (seqs.length !== last - first + 1 || seqs[0] !== first || seqs.at(-1) !== last)
        faults.push(`${path} answered ${answer.status} with ${seqs[0]}…${seqs.at(-1)} for ${first}…${last}`)
      return tookMs
    }

    const runs: HistoryRun[] = []
    for (const [index, messages] of sizes.entries()) {
      progress(`Pages of ${messages} messages …`)
      const seat = pairs[index]?.[0] as Seat
      const first = () => page(seat, messages)
      const deep = (turn: number) => page(seat, messages, deepBefore(messages, turn))
      for (const kind of [first, deep])
        await closedModel({ concurrency: 1, requests: Math.ceil(requests / 10) }, kind)
      const usage = watchUsage(processes)
      const firstPage = await closedModel({ concurrency: 1, requests }, first)
      const deepPage = await closedModel({ concurrency: 1, requests }, deep)
      runs.push({ messages, firstPage, deepPage, usage: usage() })
    }
    http.close()
    process.stdout.write(`${historyTable(runs)}\n`)
    for (const fault of faults.slice(0, 10)) process.stdout.write(`WRONG PAGE: ${fault}\n`)
    if (!isSmall && faults.length === 0)
      await writeSection('bench:history', historyReport(runs, where), { history: historyChart(runs) })
    return faults.length === 0
  },
})
