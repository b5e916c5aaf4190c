import { EncodedPacketSink } from 'mediabunny'
import type { CopyPlan } from '../prepare/copy-plan.ts'
import type { Tracks } from '../prepare/film-tracks.ts'
import { hiddenStepS } from '../prepare/film-times.ts'

/** Pictures that follow each other faster are not shown: no camera writes so many. */
const mostStepS = 4 * hiddenStepS
const mostHidden = 3000
/** The element's clock rounds, and would stop at the picture before. */
const clockS = 0.001

/** When the first picture of a film is shown that no cut hides, in seconds of the copy. */
export async function firstShown({ video }: Tracks, { pictures }: CopyPlan): Promise<number> {
  const [first] = pictures
  if (!video || !first) return 0
  if (first.before.length > 0) return first.shownAtS + clockS
  // A cut that was copied before is seen by its times only.
  const sink = new EncodedPacketSink(video)
  const times: number[] = []
  for (
    let packet = await sink.getFirstPacket({ metadataOnly: true });
    packet && packet.timestamp < mostHidden * hiddenStepS && times.length < mostHidden;
    packet = await sink.getNextPacket(packet, { metadataOnly: true })
  )
    times.push(packet.timestamp)
  return endOfRun(times)
}

/** A moment after the last of the times that stand close to each other at the beginning; 0 where none do. */
export function endOfRun(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  const end = sorted.findIndex((time, index) => (sorted[index + 1] ?? Infinity) - time > mostStepS)
  return end > 0 ? (sorted[end] ?? 0) + clockS : 0
}
