import { limits } from '@sumlock/contracts/limits'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import type { Draft } from '@sumlock/sync/ports'

type WithTimer = Pick<Conversation, 'timer'> | undefined

/** Returns the time after which a file vanishes that is sent now. */
export function fileVanishMs(conversation: WithTimer): VanishMs | undefined {
  const vanishMs = conversation?.timer?.vanishMs ?? undefined
  return vanishMs && vanishMs < limits.fileVanishMinMs ? limits.fileVanishMinMs : vanishMs
}

/** Adds the present timer of the conversation to a message, unless it was sent with a time before. */
export function withTimer(draft: Draft, conversation: WithTimer): Draft {
  if ('vanishMs' in draft) return draft
  const vanishMs = draft.messageType === 'text' ? conversation?.timer?.vanishMs : fileVanishMs(conversation)
  return vanishMs ? { ...draft, vanishMs } : draft
}
