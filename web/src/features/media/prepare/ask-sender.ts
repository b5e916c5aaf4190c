import type { HiddenPart } from './film-times.ts'
import { lengthText } from '../length-text.ts'

/** Shows the sentences to the sender, and resolves to true if the file is to be sent all the same. */
export type AskSender = (sentences: readonly string[]) => Promise<boolean>

/** Warns of parts that the owner cut out of a film but that have to be sent with it. */
export function hiddenSentence(parts: readonly HiddenPart[]): string {
  const seconds = parts.reduce((sum, { fromS, toS }) => sum + toS - fromS, 0)
  const length = secondsText(seconds)
  const places = parts.map(placeText)
  return seconds < 1.5
    ? `${length} that you cut out of this video is still in it (${places.join(', ')} of the recording). It does not play, but the other person could get at it.`
    : `${length} that you cut out of this video are still in it (${places.join(', ')} of the recording). They do not play, but the other person could get at them.`
}

/** Formats the beginning and the end of a part in whole seconds that always differ, such as "0:02–0:03". */
function placeText({ fromS, toS }: HiddenPart): string {
  const from = Math.floor(Math.max(0, fromS))
  return `${timeText(from)}–${timeText(Math.max(from + 1, Math.round(toS)))}`
}

/** The sender is not asked about a shorter missing time, in seconds. */
export const leastMissedS = 0.5

export const missingSentence = (seconds: number): string =>
  `At its beginning this video has no whole picture (${secondsText(seconds).toLowerCase()}). A still picture would be sent instead.`

const secondsText = (seconds: number) =>
  seconds < 1 ? 'Less than a second' : seconds < 1.5 ? 'One second' : `${Math.round(seconds)} seconds`

const timeText = (seconds: number) => lengthText(seconds * 1000)

export const noEndSentence = 'The end of this video is missing. Only what is left of it would be sent.'

export const moreSoundsSentence =
  'This video has several sounds that play together. Only one of them would be sent.'

export const noSoundSentence =
  'The sound of this video is coded in a way that cannot be sent. It would be sent without sound.'

export const noPreviewSentence =
  'This browser protects you by changing the pictures that a page prepares. This video would be sent without a preview.'

export const noPictureSentence =
  'This browser cannot show the picture of this video. It would be sent without a preview, and other browsers may not show it either.'
