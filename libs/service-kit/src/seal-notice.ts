import type { Notice } from '@sumlock/contracts/auth-events'
import { sealText } from './seal-text.ts'
import type { SealedText, SealKey } from './seal-text.ts'

/** The id of the key begins with the sender's name (`billing-3f2a91c0`). The sealed text can be opened for this notice only. */
export const sealNotice = (notice: Notice, noticeId: string, key: SealKey): SealedText =>
  sealText(JSON.stringify(notice), noticeId, key)
