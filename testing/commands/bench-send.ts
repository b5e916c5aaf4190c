import { isKept, measureSends } from '../bench/measure-sends.ts'
import type { SendRun } from '../bench/measure-sends.ts'
import { reseat, seatPairs } from '../bench/seats.ts'
import { openSendLoad } from '../bench/send-load.ts'
import { sendChart, sendReport, titleOf } from '../bench/send-report.ts'
import { oneLine } from '../bench/send-tables.ts'
import { isSmall, runBench } from '../bench/workbench.ts'
import { writeSection } from '../bench/write-section.ts'

const pairCount = isSmall ? 5 : 50
const [seconds, warmUpSeconds] = isSmall ? [3, 1] : [30, 5]
const plan = [
  { ratePerSecond: 100, csrf: 'token at hand' },
  { ratePerSecond: 200, csrf: 'token at hand' },
  { ratePerSecond: 100, csrf: 'token fetched before each send' },
  { ratePerSecond: 200, csrf: 'token fetched before each send' },
] as const

await runBench({
  prepare: (stack, progress) => {
    progress(`Registering ${pairCount} pairs …`)
    return seatPairs(stack, pairCount)
  },
  async measure({ stack, processes, where, progress }, people) {
    const load = await openSendLoad(stack, await reseat(stack, people))
    const runs: SendRun[] = []
    for (const step of plan) {
      progress(`${step.ratePerSecond}/s for ${seconds} s, ${step.csrf} …`)
      const run = await measureSends(stack, load, { ...step, seconds, warmUpSeconds, processes })
      runs.push(run)
      process.stdout.write(`${oneLine(run, titleOf(run))}\n`)
    }
    load.close()
    if (!isSmall) {
      const report = sendReport({ runs, pairs: pairCount, warmUpSeconds, where })
      await writeSection('bench:send', report, { send: sendChart(runs) })
    }
    return runs.every((run) => isKept(run) && run.accepted === run.offered)
  },
})
