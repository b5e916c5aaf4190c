/** Formats a size such as "640 kB", "12 MB" or "2 GB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  if (bytes < 1e9) return `${Math.round(bytes / 1_000_000)} MB`
  return `${Math.round(bytes / 1e8) / 10} GB`
}
