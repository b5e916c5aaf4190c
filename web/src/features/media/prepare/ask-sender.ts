import type { HiddenPart } from './film-times.ts'
import { lengthText } from '../length-text.ts'

/** Shows sentences to the person who sends; resolves with whether the file is sent all the same. */
export type AskSender = (sentences: readonly string[]) => Promise<boolean>

/** What cannot be cut off, though its owner has hidden it. */
export function hiddenSentence(parts: readonly HiddenPart[]): string {
  const seconds = parts.reduce((sum, { fromS, toS }) => sum + toS - fromS, 0)
  const length = secondsText(seconds)
  const places = parts.map(({ fromS, toS }) => `${timeText(fromS)}–${timeText(Math.ceil(toS))}`)
  const verb = seconds < 1.5 ? 'is' : 'are'
  return `${length} that you cut out of this video ${verb} still in it (${places.join(', ')} of the recording). They do not play, but the other person could get at them.`
}

/** A shorter time is none that a person misses. */
export const leastMissedS = 0.5

export const missingSentence = (seconds: number): string =>
  `At its beginning this video has no whole picture (${secondsText(seconds).toLowerCase()}). A still picture would be sent instead.`

const secondsText = (seconds: number) =>
  seconds < 1 ? 'Less than a second' : seconds < 1.5 ? 'One second' : `${Math.round(seconds)} seconds`

const timeText = (seconds: number) => lengthText(Math.max(0, seconds) * 1000)

export const noSoundSentence =
  'The sound of this video is coded in a way that cannot be sent. It would be sent without sound.'

export const noPreviewSentence =
  'This browser protects you by changing the pictures that a page prepares. This video would be sent without a preview.'

export const noPictureSentence =
  'This browser cannot show the picture of this video. It would be sent without a preview, and other browsers may not show it either.'
