import { barChart } from './bar-chart.ts'
import type { ProfileSummary, Share } from './cpu-profile.ts'
import { markdownTable } from './markdown-table.ts'

export interface ProfiledService {
  name: string
  /** Processor seconds by /proc for each second of the run. */
  processorShare: number
  summary: ProfileSummary
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const worthNaming = 0.02
const [topFunctions, topModules] = [15, 12]
const list = (shares: readonly Share[], count: number) =>
  shares.slice(0, count).map(({ name, share }) => [name.replaceAll('|', '\\|'), percent(share)])

export const busyTable = (services: readonly ProfiledService[]): string => {
  const names = new Set(services.flatMap(({ summary }) => summary.categories.map(({ name }) => name)))
  const rows = [...names].map((name) => ({
    name,
    shares: services.map(
      ({ summary }) => summary.categories.find((category) => category.name === name)?.share ?? 0,
    ),
  }))
  rows.sort((left, right) => Math.max(...right.shares) - Math.max(...left.shares))
  return markdownTable(
    ['Share of busy time', ...services.map(({ name }) => name)],
    [
      ['**processor (/proc)**', ...services.map(({ processorShare }) => `**${percent(processorShare)}**`)],
      ...rows.map(({ name, shares }) => [name, ...shares.map(percent)]),
    ],
  )
}

export const detailTables = ({ name, summary }: ProfiledService): string =>
  `### ${name}

${markdownTable(['Function (self time)', 'of busy time'], list(summary.functions, topFunctions))}

${markdownTable(['Module (self time)', 'of busy time'], list(summary.modules, topModules))}`

export const profileChart = (services: readonly ProfiledService[]): string =>
  barChart({
    title: 'Where the processor time goes',
    unit: '% of a processor',
    groups: services.map(({ name, processorShare, summary }) => ({
      name,
      bars: summary.categories
        .filter(({ share }) => share >= worthNaming)
        .slice(0, 10)
        .map((category) => ({
          name: category.name,
          value: Number((category.share * processorShare * 100).toFixed(2)),
        })),
    })),
  })

export interface ProfileReport {
  services: readonly ProfiledService[]
  ratePerSecond: number
  seconds: number
  pairs: number
  where: string
}

/** The section of docs/benchmarks.md. */
export const profileReport = ({ services, ratePerSecond, seconds, pairs, where }: ProfileReport): string =>
  `## Where the time goes (\`npm run bench:profile\`)

${where}

**Method.** V8's sampling profiler (a sample each 0.5 ms) over gateway, messaging and realtime for ${seconds} s of ${ratePerSecond} messages/s in
${pairs} conversations, token at hand, after a warm-up. Self time only; what V8 does for JSON inside a function counts as that
function. “Inside Node and the kernel” is time in which no JavaScript ran: reading sockets, the event loop, parsing HTTP. The records
stay in \`artifacts/profiles/\` and open in the developer tools of Chromium. A process that is recorded is slower: the shares are what to read here.

![Percent of a processor by category](benchmarks/profile.svg)

${busyTable(services)}

${services.map(detailTables).join('\n\n')}`
