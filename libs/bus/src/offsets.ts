import type { Admin } from 'kafkajs'

export interface PartitionOffsets {
  /** The name includes the namespace. */
  topic: string
  partition: number
  /** The topic still keeps records from this offset on. */
  low: number
  /** The next record gets this offset. */
  end: number
  /** The group consumes this offset next. The value is null when the group has committed nothing, or no group was given. */
  committed: number | null
}

/**
 * Returns the number of records that a reader at `position` has not consumed. The default position is the committed one;
 * with null, all kept records count.
 */
export const lagOf = (
  { low, end, committed }: PartitionOffsets,
  position: number | null = committed,
): number => Math.max(end - Math.max(position ?? low, low), 0)

export interface OffsetReader {
  /** Throws while Kafka cannot be reached; the next call reconnects. */
  read(topics: readonly string[], groupId?: string): Promise<PartitionOffsets[]>
  close(): Promise<void>
}

/** Reads the offsets of partitions and of a group. Keeps one connection. */
export function createOffsetReader(createAdmin: () => Admin): OffsetReader {
  let open: Promise<Admin> | undefined
  const connected = () =>
    (open ??= (async () => {
      const admin = createAdmin()
      await admin.connect()
      return admin
    })())
  const close = async () => {
    const admin = await open?.catch(() => undefined)
    open = undefined
    await admin?.disconnect().catch(() => undefined)
  }

  return {
    async read(topics, groupId) {
      try {
        const admin = await connected()
        const committed = await committedOffsets(admin, topics, groupId)
        const perTopic = topics.map(async (topic) =>
          (await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => ({
            topic,
            partition,
            low: Number(low),
            end: Number(high),
            committed: committed.get(`${topic}/${partition}`) ?? null,
          })),
        )
        return (await Promise.all(perTopic)).flat()
      } catch (error) {
        await close()
        throw error
      }
    },
    close,
  }
}

async function committedOffsets(
  admin: Admin,
  topics: readonly string[],
  groupId: string | undefined,
): Promise<Map<string, number>> {
  if (groupId === undefined) return new Map()
  const known = await admin.fetchOffsets({ groupId, topics: [...topics] })
  return new Map(
    known.flatMap(({ topic, partitions }) =>
      partitions
        .filter(({ offset }) => Number(offset) >= 0)
        .map(({ partition, offset }) => [`${topic}/${partition}`, Number(offset)] as const),
    ),
  )
}
