import type { Notice } from '@sumlock/contracts/auth-events'
import { sealText } from './seal-text.ts'
import type { SealedText, SealKey } from './seal-text.ts'

/**
 * Encrypts a notice to a person for notify. The id of the key begins with the name of the sending service
 * (`billing-3f2a91c0`). The text opens only with the same notice id.
 */
export const sealNotice = (notice: Notice, noticeId: string, key: SealKey): SealedText =>
  sealText(JSON.stringify(notice), noticeId, key)
