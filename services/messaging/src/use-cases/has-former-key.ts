import type { Sealed } from '@sumlock/contracts/sealed'
import type { Context } from '../context.ts'
import type { AccountStatus } from '../domain/entitlement.ts'

export interface KeysContext {
  /** Fetches and stores a person from auth, at most once a second for each person. */
  learnKeys: Context['learnKeys']
}

interface SealedSend {
  senderId: string
  otherId: string
  memberIds: readonly string[]
}

/**
 * Returns whether a message was sealed with an older key than messaging's copy has; `statuses` are in the order of
 * `memberIds`. A newer key is fetched from auth for later sends. The message itself is then stored, because receivers check
 * the keys themselves.
 */
export function hasFormerKey(
  ctx: KeysContext,
  { senderId, otherId, memberIds }: SealedSend,
  { from, to }: Sealed,
  statuses: readonly AccountStatus[],
): boolean {
  const used = new Map([
    [senderId, from],
    [otherId, to],
  ])
  let isFormer = false
  for (const [index, userId] of memberIds.entries()) {
    const [epoch, known] = [used.get(userId) ?? 0, statuses[index]?.keyEpoch ?? 0]
    // guard: former-key-refused
    if (epoch < known) isFormer = true
    else if (epoch > known) ctx.learnKeys(userId)
  }
  return isFormer
}
