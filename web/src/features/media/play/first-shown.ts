import { EncodedPacketSink } from 'mediabunny'
import type { CopyPlan } from '../prepare/copy-plan.ts'
import type { Tracks } from '../prepare/film-tracks.ts'
import { hiddenStepS } from '../prepare/film-times.ts'

/** No camera writes pictures at a shorter distance than this, so they are hidden ones. */
const mostStepS = 4 * hiddenStepS
const mostHidden = 3000
/** The element rounds its time and would otherwise stop at the previous picture. */
const clockS = 0.001

/** Returns when the first picture is shown that no cut hides, in seconds of the copy. */
export async function firstShown({ video }: Tracks, { pictures }: CopyPlan): Promise<number> {
  const [first] = pictures
  if (!video || !first) return 0
  if (first.before.length > 0) return first.shownAtS + clockS
  // If a film was already a copy, only its times reveal the cut.
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

/** Returns a moment after the last of the times that stand close together at the beginning; 0 if there are none. */
export function endOfRun(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  const end = sorted.findIndex((time, index) => (sorted[index + 1] ?? Infinity) - time > mostStepS)
  return end > 0 ? (sorted[end] ?? 0) + clockS : 0
}
