import { escapeXml, figure, svgDocument } from './svg-theme.ts'

export interface LineChart {
  title: string
  xLabel: string
  yLabel: string
  /** Both scales are logarithmic by default: rates and latencies span powers of ten. */
  xScale?: 'linear' | 'log'
  yScale?: 'linear' | 'log'
  /** Only finite points are drawn. */
  series: readonly { name: string; points: readonly (readonly [number, number])[] }[]
  /** A bound to compare with, drawn across. */
  limit?: { name: string; y: number }
}

const size = { width: 720, height: 400 }
const box = { left: 76, right: 700, top: 64, bottom: 344 }

/** Lines over a common axis, as an SVG text. */
export function lineChart(chart: LineChart): string {
  const series = chart.series.map(({ name, points }) => ({
    name,
    points: points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)),
  }))
  const all = series.flatMap(({ points }) => points)
  const xs = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b)
  const ys = [...all.map(([, y]) => y), ...(chart.limit ? [chart.limit.y] : [])]
  const x = scale(xs, chart.xScale ?? 'log', [box.left, box.right - 20], 'tight')
  const y = scale(ys, chart.yScale ?? 'log', [box.bottom, box.top], 'round')
  const at = ([px, py]: readonly [number, number]) => `${x.place(px)},${y.place(py)}`
  const { limit } = chart
  return svgDocument(size.width, size.height, chart.title, [
    ...y.ticks.map(
      (tick) =>
        `<line class="grid" x1="${box.left}" x2="${box.right}" y1="${y.place(tick)}" y2="${y.place(tick)}"/>` +
        `<text class="faint" x="${box.left - 8}" y="${y.place(tick) + 4}" text-anchor="end">${figure(tick)}</text>`,
    ),
    ...xs.map(
      (tick) =>
        `<text class="faint" x="${x.place(tick)}" y="${box.bottom + 20}" text-anchor="middle">${figure(tick)}</text>`,
    ),
    `<text x="${(box.left + box.right) / 2}" y="${size.height - 12}" text-anchor="middle">${escapeXml(chart.xLabel)}</text>`,
    `<text x="20" y="${(box.top + box.bottom) / 2}" text-anchor="middle" transform="rotate(-90 20 ${(box.top + box.bottom) / 2})">${escapeXml(chart.yLabel)}</text>`,
    ...(limit
      ? [
          `<line class="limit" x1="${box.left}" x2="${box.right}" y1="${y.place(limit.y)}" y2="${y.place(limit.y)}"/>`,
          `<text class="faint" x="${box.right}" y="${y.place(limit.y) - 6}" text-anchor="end">${escapeXml(limit.name)}</text>`,
        ]
      : []),
    ...series.flatMap(({ name, points }, index) => [
      `<g class="s${index % 4}"><polyline class="line" points="${points.map(at).join(' ')}"/>`,
      ...points.map((point) => {
        const [cx, cy] = at(point).split(',')
        return `<circle class="dot" cx="${cx}" cy="${cy}" r="3.5"><title>${escapeXml(`${name}: ${figure(point[1])} at ${figure(point[0])}`)}</title></circle>`
      }),
      `<rect class="bar" x="${box.left + index * 150}" y="40" width="12" height="12"/></g>`,
      `<text x="${box.left + index * 150 + 18}" y="51">${escapeXml(name)}</text>`,
    ]),
  ])
}

function scale(
  values: readonly number[],
  kind: 'linear' | 'log',
  [from, to]: readonly [number, number],
  fit: 'tight' | 'round',
) {
  const isLog = kind === 'log'
  const positive = values.filter((value) => !isLog || value > 0)
  const [least, most] = positive.length > 0 ? [Math.min(...positive), Math.max(...positive)] : [1, 10]
  const ticks = isLog ? logTicks(least, most) : linearTicks(most)
  const low = fit === 'round' ? (ticks[0] as number) : isLog ? least : Math.min(0, least)
  const high = fit === 'round' ? (ticks.at(-1) as number) : most
  const bend = (value: number) => (isLog ? Math.log10(Math.max(value, low)) : value)
  const span = bend(high) - bend(low) || 1
  return {
    ticks,
    place: (value: number) => Number((from + ((bend(value) - bend(low)) / span) * (to - from)).toFixed(1)),
  }
}

/** 1, 2, 5, 10, 20 … from the one below the least to the one above the most. */
function logTicks(least: number, most: number): number[] {
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power += 1)
    for (const step of [1, 2, 5]) ticks.push(Number((step * 10 ** power).toPrecision(3)))
  const first = ticks.findLastIndex((tick) => tick <= least)
  const last = ticks.findIndex((tick) => tick >= most)
  return ticks.slice(first, (last === first ? last + 1 : last) + 1)
}

function linearTicks(most: number): number[] {
  const rough = Math.max(most, 1e-9) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  )
}
