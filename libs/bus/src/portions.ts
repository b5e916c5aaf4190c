interface Sized {
  key: string | Buffer | null
  value: string | Buffer | null
}

const bytesOf = ({ key, value }: Sized) =>
  [key, value].reduce((sum, part) => sum + (part ? Buffer.byteLength(part) : 0), 0)

/**
 * Records in the same order, in portions of at most `atMostBytes` of keys and values together. A record that is larger
 * by itself is a portion of its own. Kafka refuses a batch of a partition as a whole when it is above the limit of the
 * broker (1 MiB unless set), however small its records are.
 */
export function inPortions<T extends Sized>(records: readonly T[], atMostBytes: number): T[][] {
  const portions: T[][] = []
  let room = 0
  for (const record of records) {
    const bytes = bytesOf(record)
    if (bytes > room || portions.length === 0) {
      portions.push([])
      room = atMostBytes
    }
    portions.at(-1)?.push(record)
    room -= bytes
  }
  return portions
}
