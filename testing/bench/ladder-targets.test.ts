import { compareWithTargets, slowestP99 } from './ladder-targets.ts'

const services = ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime']
const step = (ratePerSecond: number, p50: number, p99: number, eachMiB = 100) => ({
  ratePerSecond,
  toAnswer: { p50: p50 / 2, p95: p99 / 2, p99: p99 / 2, max: p99 },
  toSocket: { p50, p95: p99, p99, max: p99 },
  usage: [
    ...services.map((name) => ({ name: `${name}-1`, cpuSeconds: 1, peakMiB: eachMiB })),
    { name: 'kafka', cpuSeconds: 1, peakMiB: 5000 },
    { name: 'everything else', cpuSeconds: 1, peakMiB: null },
  ],
})
const met = (steps: Parameters<typeof compareWithTargets>[0]) =>
  compareWithTargets(steps).map((row) => row.met)
const good = [step(200, 5, 15), step(500, 6, 30), step(1000, 8, 60), step(1500, 9, 199.9)]

it('finds every target met exactly at its bound', () => {
  expect(met(good)).toEqual([true, true, true, true, true, true])
})

it('finds each target missed just beyond its bound', () => {
  const with_ = (index: number, worse: ReturnType<typeof step>) => met(good.with(index, worse))
  expect(with_(0, step(200, 5.1, 15))).toEqual([false, true, true, true, true, true])
  expect(with_(0, step(200, 5, 15.1))).toEqual([true, false, true, true, true, true])
  expect(with_(1, step(500, 6, 30.1))).toEqual([true, true, false, true, true, true])
  expect(with_(2, step(1000, 8, 60.1))).toEqual([true, true, true, false, true, true])
  expect(with_(3, step(1500, 9, 200))).toEqual([true, true, true, true, false, true])
  expect(with_(0, step(200, 5, 15, 128))).toEqual([true, true, true, true, true, false])
})

it('takes the slower of the answer and the socket', () => {
  const slowAnswer = { ...step(200, 1, 1), toAnswer: { p50: 9, p95: 9, p99: 9, max: 9 } }
  expect(met([slowAnswer]).slice(0, 2)).toEqual([false, true])
  expect(slowestP99(slowAnswer)).toBe(9)
})

it('says of a step that was not reached that its target is not met', () => {
  const rows = compareWithTargets([step(100, 1, 2)])
  expect(rows.map((row) => row.met)).toEqual([false, false, false, false, false, false])
  expect(rows.map((row) => row.measured)).toEqual([
    ...['not reached', 'not reached', 'not reached', 'not reached'],
    ...['100/s', 'not reached'],
  ])
})

it('counts memory in bytes of the services alone', () => {
  expect(compareWithTargets(good).at(-1)?.measured).toBe('629 MB')
})
