import type { PicturePlan } from './picture-plan.ts'

/**
 * Pictures that are needed, but not shown, stand so close to each other that they take no time, so that there is no hole. Two
 * units of the clock of an MP4.
 */
export const hiddenStepS = 2 / 57_600

/** A shorter time without a picture at the beginning is none that a player waits for. */
const lateS = 0.1
const nearS = 0.001

/** A piece of the pictures, and where it stands in the copy. */
export interface PlacedPictures extends PicturePlan {
  /** Where its first packet stands. */
  atS: number
  /** When it is shown; so much later than in the file. */
  shownAtS: number
  movedS: number
  timeOf: (timestamp: number) => number
  /** Whether pictures before the one that it begins with are left out, because nothing can show them. */
  isOpen: boolean
}

/** Places the pieces one after the other; what is hidden moves what follows it by a little. */
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
    // A player would wait for a picture that comes late: the first one stands still until the second.
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

/** How much later something is shown in the copy than the file says. */
export const movedAt = (pictures: readonly PlacedPictures[], atS: number, shiftS: number): number =>
  pictures.findLast(({ piece }) => piece.atS <= atS + nearS)?.movedS ?? shiftS

/** A part of a recording, in seconds. */
export interface HiddenPart {
  fromS: number
  toS: number
}

/** What was cut out of the recording, but has to be copied, where it is more than one picture. */
export const hiddenParts = (plans: readonly PicturePlan[], offsetS: number): HiddenPart[] =>
  plans.flatMap(({ piece, start, before, behind }) => [
    ...(before.length > 1 ? [{ fromS: start.timestamp + offsetS, toS: piece.fromS + offsetS }] : []),
    ...(behind.length > 1 ? [{ fromS: piece.toS + offsetS, toS: (behind.at(-1) ?? 0) + offsetS }] : []),
  ])
