import { ladderChart, ladderReport, stepTitle, targetTable } from '../bench/ladder-report.ts'
import { compareWithTargets, slowestP99, tooSlowMs } from '../bench/ladder-targets.ts'
import { isKept, measureSends } from '../bench/measure-sends.ts'
import type { SendRun } from '../bench/measure-sends.ts'
import { reseat, seatPairs } from '../bench/seats.ts'
import { openSendLoad } from '../bench/send-load.ts'
import { oneLine } from '../bench/send-tables.ts'
import { isSmall, runBench } from '../bench/workbench.ts'
import { writeSection } from '../bench/write-section.ts'

const pairCount = isSmall ? 10 : 200
const [seconds, warmUpSeconds] = isSmall ? [3, 1] : [20, 5]
/** A process that has answered for a while is compiled; the first steps would measure the compiler. */
const firstWarmUpSeconds = isSmall ? 1 : 30
const rates = isSmall ? [100, 200] : [100, 200, 500, 1000, 1500, 2000]

await runBench({
  prepare: (stack, progress) => {
    progress(`Registering ${pairCount} pairs …`)
    return seatPairs(stack, pairCount)
  },
  async measure({ stack, processes, where, progress }, people) {
    const load = await openSendLoad(stack, await reseat(stack, people))
    const runs: SendRun[] = []
    progress(`Warming up for ${firstWarmUpSeconds} s …`)
    await load.run({ ratePerSecond: rates[0] as number, seconds: firstWarmUpSeconds, csrf: 'token at hand' })
    for (const ratePerSecond of rates) {
      progress(`${ratePerSecond}/s for ${seconds} s …`)
      const step = { ratePerSecond, seconds, warmUpSeconds, processes, csrf: 'token at hand' } as const
      const run = await measureSends(stack, load, step)
      runs.push(run)
      process.stdout.write(`${oneLine(run, stepTitle(run))}\n`)
      if (!(slowestP99(run) <= tooSlowMs)) break
    }
    load.close()
    const targets = compareWithTargets(runs)
    process.stdout.write(`\n${targetTable(targets)}\n`)
    if (!isSmall) {
      const report = ladderReport({
        runs,
        targets,
        pairs: pairCount,
        firstWarmUpSeconds,
        warmUpSeconds,
        where,
      })
      await writeSection('bench:ladder', report, { ladder: ladderChart(runs) })
    }
    return runs.every(isKept)
  },
})
