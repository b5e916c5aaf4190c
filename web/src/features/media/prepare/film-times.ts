import type { PicturePlan } from './picture-plan.ts'

/**
 * In the copy, pictures that are needed but not shown follow each other after this many seconds, so that they take no
 * time and leave no hole. It is two units of the clock of an MP4.
 */
export const hiddenStepS = 2 / 57_600

/**
 * A first picture that is later than this many seconds is moved to the beginning, because players would wait for it.
 */
const lateS = 0.1
const nearS = 0.001

/** Places a piece of the picture track in the copy. All times are in seconds. */
export interface PlacedPictures extends PicturePlan {
  /** The first packet of the piece has this time in the copy. */
  atS: number
  /** The copy shows the piece at this time, which is `movedS` later than in the film. */
  shownAtS: number
  movedS: number
  timeOf: (timestamp: number) => number
  /** True if pictures that are shown before the key frame are left out, because they cannot be decoded. */
  isOpen: boolean
}

/** Places the pieces one after the other. Hidden pictures delay everything that follows them a little. */
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
    // A player would wait for a late first picture, so this picture is shown from the beginning until the second one.
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

/** Returns how many seconds later the copy shows what the film shows at `atS`. */
export const movedAt = (pictures: readonly PlacedPictures[], atS: number, shiftS: number): number =>
  pictures.findLast(({ piece }) => piece.atS <= atS + nearS)?.movedS ?? shiftS

/** A hidden part was cut out by the owner. Its times are seconds of the recording. */
export interface HiddenPart {
  fromS: number
  toS: number
}

/** Lists the parts that were cut out of the recording but have to be copied. Single pictures are not listed. */
export const hiddenParts = (plans: readonly PicturePlan[], offsetS: number): HiddenPart[] =>
  plans.flatMap(({ piece, start, before, behind }) => [
    ...(before.length > 1 ? [{ fromS: start.timestamp + offsetS, toS: piece.fromS + offsetS }] : []),
    ...(behind.length > 1 ? [{ fromS: piece.toS + offsetS, toS: (behind.at(-1) ?? 0) + offsetS }] : []),
  ])
