import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { freePorts } from '@sumlock/dev/processes/ports'
import { serviceRuntime } from '@sumlock/dev/product/service-runtime'
import { summarise } from '../bench/cpu-profile.ts'
import { isKept, measureSends } from '../bench/measure-sends.ts'
import { busyTable, detailTables, profileChart, profileReport } from '../bench/profile-report.ts'
import type { ProfiledService } from '../bench/profile-report.ts'
import { reseat, seatPairs } from '../bench/seats.ts'
import { openSendLoad } from '../bench/send-load.ts'
import { oneLine } from '../bench/send-tables.ts'
import { takeProfile } from '../bench/take-profile.ts'
import { isSmall, runBench } from '../bench/workbench.ts'
import { writeSection } from '../bench/write-section.ts'

const pairCount = isSmall ? 20 : 200
/** `--rate=200`: on a slow machine, or to look at another point of the ladder. */
const askedRate = /^--rate=(\d+)$/.exec(process.argv.at(-1) ?? '')?.[1]
const ratePerSecond = Number(askedRate ?? (isSmall ? 100 : 500))
const [seconds, warmUpSeconds] = isSmall ? [10, 10] : [20, 10]
const names = ['gateway', 'messaging', 'realtime'] as const
const ports = await freePorts(names.length)
const inspected = names.map((name, index) => ({ name, port: ports[index] as number }))
const folder = join(repoRoot, 'artifacts/profiles')

await runBench({
  env: Object.fromEntries(
    inspected.map(({ name, port }) => [
      name,
      { NODE_OPTIONS: `${serviceRuntime['NODE_OPTIONS'] ?? ''} --inspect=127.0.0.1:${port}` },
    ]),
  ),
  prepare: (stack, progress) => {
    progress(`Registering ${pairCount} pairs …`)
    return seatPairs(stack, pairCount)
  },
  async measure({ stack, processes, where, progress }, people) {
    const load = await openSendLoad(stack, await reseat(stack, people))
    progress(`${ratePerSecond}/s for ${seconds} s …`)
    const step = { ratePerSecond, csrf: 'token at hand' } as const
    await load.run({ ...step, seconds: warmUpSeconds })
    const recording = await Promise.all(
      inspected.map(async ({ name, port }) => ({ name, profile: await takeProfile(port) })),
    )
    const run = await measureSends(stack, load, { ...step, seconds, warmUpSeconds: 0, processes })
    process.stdout.write(`${oneLine(run, `${ratePerSecond}/s while recorded`)}\n\n`)
    await mkdir(folder, { recursive: true })
    const services: ProfiledService[] = []
    for (const { name, profile } of recording) {
      const record = await profile.stop()
      await writeFile(join(folder, `${name}.cpuprofile`), JSON.stringify(record))
      const cpuSeconds = run.usage.find((used) => used.name === `${name}-1`)?.cpuSeconds ?? NaN
      services.push({ name, processorShare: cpuSeconds / run.seconds, summary: summarise(record) })
    }
    load.close()
    process.stdout.write(`${busyTable(services)}\n\n${services.map(detailTables).join('\n\n')}\n`)
    process.stdout.write(`\nThe records: ${relative(repoRoot, folder)}/*.cpuprofile\n`)
    const isCarried = isKept(run) && run.accepted === run.offered
    if (!isSmall && isCarried) {
      const report = profileReport({ services, ratePerSecond, seconds, pairs: pairCount, where })
      await writeSection('bench:profile', report, { profile: profileChart(services) })
    }
    return isCarried
  },
})
