import { openText, sealText } from '@sumlock/service-kit/seal-text'
import type { SealedText, SealKey } from '@sumlock/service-kit/seal-text'

/** The person who reported the message attached this text, which the server cannot check. */
export interface AttachedText {
  id: string
  text: string
}

export interface ReportSealing {
  seal(texts: readonly AttachedText[], reportId: string): SealedText
  /** Throws when the key is no longer configured, or the text was sealed for another report. */
  open(sealed: SealedText, reportId: string): AttachedText[]
}

/**
 * Seals the texts attached to reports with the first key. No database contains the keys, so a copy of it reveals no text.
 */
export function createReportSealing(keys: readonly SealKey[]): ReportSealing {
  return {
    seal: (texts, reportId) => sealText(JSON.stringify(texts), reportId, keys[0] as SealKey),
    open(sealed, reportId) {
      const key = keys.find(({ id }) => id === sealed.keyId)
      if (!key) throw new Error(`REPORT_KEYS has no key ${sealed.keyId}`)
      return JSON.parse(openText(sealed, reportId, key.secret)) as AttachedText[]
    },
  }
}
