import type { PicturePlan } from './picture-plan.ts'

/**
 * Pictures that are needed but not shown stand this close together, so that they take no time and leave no hole. It is
 * two units of the clock of an MP4.
 */
export const hiddenStepS = 2 / 57_600

/** No player waits for a shorter time without a picture at the beginning. */
const lateS = 0.1
const nearS = 0.001

/** A piece of the pictures, and its place in the copy. */
export interface PlacedPictures extends PicturePlan {
  /** The time of its first packet in the copy. */
  atS: number
  /** The time when it is shown, which is later than in the file. */
  shownAtS: number
  movedS: number
  timeOf: (timestamp: number) => number
  /** Whether the pictures before its key frame are left out, because nothing can decode them. */
  isOpen: boolean
}

/** Places the pieces one after the other. Hidden pictures move the following ones by a little. */
export function placePictures(plans: readonly PicturePlan[], shiftS: number): PlacedPictures[] {
  let behindS = shiftS
  return plans.map((plan, index) => {
    const { piece, firstS, before, behind } = plan
    const isWhole = piece.fromS === -Infinity
    const fromS = isWhole ? 0 : piece.fromS
    const leadS = before.length * hiddenStepS
    const movedS = behindS + leadS
    const shownAtS = piece.atS + movedS
    behindS = movedS + behind.length * hiddenStepS
    // A player would wait for a late picture, so the first one is shown until the second.
    const isLate = index === 0 && firstS - fromS + shownAtS - leadS > lateS
    const atS = isLate ? 0 : shownAtS - leadS
    const places = new Map([
      ...before.map((time, place): [number, number] => [time, atS + place * hiddenStepS]),
      ...behind.map((time, place): [number, number] => [
        time,
        shownAtS + piece.toS - fromS + place * hiddenStepS,
      ]),
    ])
    if (isLate) places.set(firstS, atS + leadS)
    return {
      ...plan,
      ...{ atS, shownAtS, movedS, isOpen: isLate || before.length > 0 },
      timeOf: (timestamp) => places.get(timestamp) ?? Math.max(0, timestamp - fromS + shownAtS),
    }
  })
}

/** Returns how much later something is shown in the copy than in the file. */
export const movedAt = (pictures: readonly PlacedPictures[], atS: number, shiftS: number): number =>
  pictures.findLast(({ piece }) => piece.atS <= atS + nearS)?.movedS ?? shiftS

/** A part of a recording, in seconds. */
export interface HiddenPart {
  fromS: number
  toS: number
}

/** Lists the parts that were cut out of the recording but have to be copied, if they are more than one picture. */
export const hiddenParts = (plans: readonly PicturePlan[], offsetS: number): HiddenPart[] =>
  plans.flatMap(({ piece, start, before, behind }) => [
    ...(before.length > 1 ? [{ fromS: start.timestamp + offsetS, toS: piece.fromS + offsetS }] : []),
    ...(behind.length > 1 ? [{ fromS: piece.toS + offsetS, toS: (behind.at(-1) ?? 0) + offsetS }] : []),
  ])
