import { escapeXml, figure, svgDocument } from './svg-theme.ts'

export interface BarChart {
  title: string
  /** Of all figures, under the bars. */
  unit: string
  groups: readonly { name: string; bars: readonly { name: string; value: number }[] }[]
}

const width = 720
const [left, right] = [230, 610]
const rowHeight = 22

/** Horizontal bars in groups, one colour each, as an SVG text. */
export function barChart({ title, unit, groups }: BarChart): string {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), 1e-9)
  const rows: string[] = []
  let y = 44
  groups.forEach(({ name, bars }, index) => {
    rows.push(`<text class="faint" x="16" y="${y + 15}">${escapeXml(name)}</text>`)
    for (const bar of bars) {
      const length = Number(((Math.max(0, bar.value) / most) * (right - left)).toFixed(1))
      rows.push(
        `<text x="${left - 8}" y="${y + 15}" text-anchor="end">${escapeXml(bar.name)}</text>`,
        `<g class="s${index % 4}"><rect class="bar" x="${left}" y="${y + 3}" width="${length}" height="${rowHeight - 6}"/></g>`,
        `<text class="faint" x="${left + length + 6}" y="${y + 15}">${figure(bar.value)}</text>`,
      )
      y += rowHeight
    }
    y += 10
  })
  rows.push(`<text x="${(left + right) / 2}" y="${y + 14}" text-anchor="middle">${escapeXml(unit)}</text>`)
  return svgDocument(width, y + 30, title, rows)
}
