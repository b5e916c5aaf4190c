import { barChart } from './bar-chart.ts'
import type { ClosedRun } from './closed-model.ts'
import { markdownTable, triple } from './markdown-table.ts'

export interface DoorRun {
  run: ClosedRun
  /** Processor seconds of the process that was asked: the gateway, or the service itself. */
  cpuSeconds: number
}

export interface GatewayRun {
  what: string
  throughGateway: DoorRun
  direct: DoorRun
}

/** Requests for each second of processor time that the process asked has used. */
export const perCore = ({ run, cpuSeconds }: DoorRun): number => run.requests / cpuSeconds

export const gatewayTable = (runs: readonly GatewayRun[]): string =>
  markdownTable(
    [
      'Request',
      ...['gateway: requests/s per core', 'service alone: requests/s per core', 'ratio'],
      ...['processor ms per request in the gateway', 'requests/s through the gateway', 'requests/s direct'],
      ...['ms through the gateway', 'ms direct'],
    ],
    runs.map(({ what, throughGateway, direct }) => [
      what,
      perCore(throughGateway).toFixed(0),
      perCore(direct).toFixed(0),
      (perCore(throughGateway) / perCore(direct)).toFixed(2),
      ((throughGateway.cpuSeconds * 1000) / throughGateway.run.requests).toFixed(2),
      (throughGateway.run.requests / throughGateway.run.seconds).toFixed(0),
      (direct.run.requests / direct.run.seconds).toFixed(0),
      triple(throughGateway.run.latency),
      triple(direct.run.latency),
    ]),
  )

export const gatewayChart = (runs: readonly GatewayRun[]): string =>
  barChart({
    title: 'Requests per second that one core of each carries',
    unit: 'requests per processor second of that process',
    groups: runs.map(({ what, throughGateway, direct }) => ({
      name: what,
      bars: [
        { name: 'gateway', value: perCore(throughGateway) },
        { name: 'service alone', value: perCore(direct) },
      ],
    })),
  })

/** The section of docs/benchmarks.md. */
export const gatewayReport = (runs: readonly GatewayRun[], concurrency: number, where: string): string =>
  `## What the gateway costs (\`npm run bench:gateway\`)

${where}

**Method.** Closed model: ${concurrency} requests under way at any time for ${runs[0]?.direct.run.seconds.toFixed(0)} s, of ten people in turn, first through the gateway, then the same
request at messaging's own door with the token the gateway would have brought; each after 2 s that do not count. “Per core” divides the requests by the
processor seconds (/proc) of the gateway in the first case and of messaging in the second, so that the other processes on the
same machine do not count. Services run as in production, rate limits off.

![Requests per processor second](benchmarks/gateway.svg)

${gatewayTable(runs)}

Latencies: p50 / p95 / p99.`
