import type { PreparedMedia } from '../prepare/prepared-media.ts'
import type { OpenQuestion, SenderQuestion } from '../sender-question.ts'

/** A chosen file with what the preview shows of it. */
export interface ChosenItem {
  readonly key: number
  readonly file: Blob
  /** The value is null until the first bytes are read. */
  readonly kind: 'picture' | 'film' | null
  readonly caption: string
  /** The receiver can open the file once. */
  readonly isOnce: boolean
  /** These object URLs show the file large and small. */
  readonly url: string | null
  readonly stillUrl: string | null
  readonly prepared: PreparedMedia | null
  /** This sentence says why the file cannot be sent. */
  readonly refusal: string | null
  readonly question: SenderQuestion
  readonly asked: OpenQuestion | null
}
