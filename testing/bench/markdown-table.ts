import type { Percentiles } from './percentiles.ts'

/** A table whose first column is text and whose others are figures. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

export const ms = (value: number): string =>
  value === Infinity ? '∞' : Number.isNaN(value) ? '–' : value.toFixed(1)

/** `p50 / p95 / p99` in milliseconds. */
export const triple = ({ p50, p95, p99 }: Percentiles): string => [p50, p95, p99].map(ms).join(' / ')
