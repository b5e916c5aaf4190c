import { barChart } from './bar-chart.ts'
import { lineChart } from './line-chart.ts'

const points = (svg: string) =>
  [...svg.matchAll(/<polyline class="line" points="([^"]*)"/g)].map(([, list]) =>
    (list as string).split(' ').map((pair) => pair.split(',').map(Number)),
  )
const base = { title: 'How fast', xLabel: 'messages per second', yLabel: 'milliseconds' }

it('places powers of ten at equal distances, greater values higher', () => {
  const svg = lineChart({
    ...base,
    series: [
      {
        name: 'p50',
        points: [
          [10, 1],
          [100, 10],
          [1000, 100],
        ],
      },
    ],
  })
  const [[first, second, third]] = points(svg) as [[number[], number[], number[]]]
  expect((third[0] as number) - (second[0] as number)).toBeCloseTo(
    (second[0] as number) - (first[0] as number),
    0,
  )
  expect((second[1] as number) - (third[1] as number)).toBeCloseTo(
    (first[1] as number) - (second[1] as number),
    0,
  )
  expect(first[1]).toBeGreaterThan(third[1] as number)
})

it('names its axes, its ticks, its series and its bound', () => {
  const svg = lineChart({
    ...base,
    series: [
      { name: 'p50', points: [[100, 3]] },
      { name: 'p99', points: [[100, 40]] },
    ],
    limit: { name: 'too slow', y: 200 },
  })
  for (const text of ['How fast', 'messages per second', 'milliseconds', 'p50', 'p99', 'too slow', '200'])
    expect(svg).toContain(`>${text}</text>`)
  expect(svg).toContain('prefers-color-scheme: dark')
})

it('leaves out what was not measured, and stays within its frame', () => {
  const svg = lineChart({
    ...base,
    yScale: 'linear',
    series: [
      {
        name: 'a',
        points: [
          [1, 5],
          [2, NaN],
          [3, 0],
        ],
      },
    ],
    limit: { name: 'bound', y: 2 },
  })
  expect(points(svg)[0]).toHaveLength(2)
  for (const [x, y] of points(svg).flat()) {
    expect(x).toBeGreaterThanOrEqual(76)
    expect(x).toBeLessThanOrEqual(700)
    expect(y).toBeGreaterThanOrEqual(64)
    expect(y).toBeLessThanOrEqual(344)
  }
  expect(svg).not.toContain('NaN')
})

it('draws bars as long as their values, and escapes what would break the picture', () => {
  const svg = barChart({
    title: 'Shares',
    unit: '% of a processor',
    groups: [
      {
        name: 'gateway',
        bars: [
          { name: 'a <b>', value: 10 },
          { name: 'c', value: 5 },
        ],
      },
    ],
  })
  const lengths = [...svg.matchAll(/class="bar"[^>]* width="([\d.]+)"/g)].map(([, length]) => Number(length))
  expect(lengths[0]).toBe((lengths[1] as number) * 2)
  expect(svg).toContain('a &#60;b&#62;')
  for (const text of ['Shares', '% of a processor', 'gateway', '10', '5'])
    expect(svg).toContain(`>${text}</text>`)
})
