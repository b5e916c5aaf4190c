/** A sample is one line of a service's metrics. */
export interface Sample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

/** Reads the metrics of a service. */
export async function scrape({ internalUrl }: { internalUrl: string }): Promise<Sample[]> {
  const response = await fetch(`${internalUrl}/metrics`)
  if (!response.ok) throw new Error(`${internalUrl}/metrics answered ${response.status}`)
  return samplesIn(await response.text())
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/

/** Reads the text of Prometheus's format. */
export function samplesIn(text: string): Sample[] {
  return text.split('\n').flatMap((row) => {
    const [, name, labels = '', value] = line.exec(row) ?? []
    if (name === undefined) return []
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text])
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }]
  })
}

/** Adds up a metric over all series with these labels. */
export const sumOf = (
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number =>
  samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
