interface Sized {
  key: string | Buffer | null
  value: string | Buffer | null
}

const bytesOf = ({ key, value }: Sized) =>
  [key, value].reduce((sum, part) => sum + (part ? Buffer.byteLength(part) : 0), 0)

/**
 * Splits records, in order, into chunks of at most `maxBytes` of keys and values together. A record that is larger than
 * `maxBytes` gets a chunk of its own. Kafka refuses a whole batch of a partition that is above the limit of the broker (1
 * MiB by default), however small its records are.
 */
export function chunkBySize<T extends Sized>(records: readonly T[], maxBytes: number): T[][] {
  const chunks: T[][] = []
  let room = 0
  for (const record of records) {
    const bytes = bytesOf(record)
    if (bytes > room || chunks.length === 0) {
      chunks.push([])
      room = maxBytes
    }
    chunks.at(-1)?.push(record)
    room -= bytes
  }
  return chunks
}
