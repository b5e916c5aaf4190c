import { EncodedPacketSink } from 'mediabunny'
import type { CopyPlan } from '../prepare/copy-plan.ts'
import type { Tracks } from '../prepare/film-tracks.ts'
import { hiddenStepS } from '../prepare/film-times.ts'

/** Pictures that follow each other within this many seconds were hidden by a cut, because no camera records so fast. */
const mostStepS = 4 * hiddenStepS
const mostHidden = 3000
/** The element rounds the time to which it jumps, and without this addition it could stop at the previous picture. */
const clockS = 0.001

/** Returns the time in the copy, in seconds, at which the first picture is shown that no cut hides. */
export async function firstShown({ video }: Tracks, { pictures }: CopyPlan): Promise<number> {
  const [first] = pictures
  if (!video || !first) return 0
  if (first.before.length > 0) return first.shownAtS + clockS
  // A received film has no list of cuts any more, so only the times of its pictures reveal the hidden ones.
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

/**
 * Returns the time just after the closely spaced times at the beginning; 0 if the first times are not closely spaced.
 */
export function endOfRun(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  const end = sorted.findIndex((time, index) => (sorted[index + 1] ?? Infinity) - time > mostStepS)
  return end > 0 ? (sorted[end] ?? 0) + clockS : 0
}
