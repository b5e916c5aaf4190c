import type { ClosedReason } from './look.ts'

/** Explains to the person why a message cannot be read. `name` is the partner's. */
export function closedSentence(why: ClosedReason, name: string): string {
  switch (why) {
    case 'opening':
      return '…'
    case 'no-key':
      return 'Lock and enter your number to read this'
    case 'lost-key':
      return 'Your keys do not open here'
    case 'former-key':
      return 'Sealed for your former keys'
    case 'waiting':
      return `Waiting for ${name}’s key`
    case 'damaged':
      return 'This message was changed on its way and cannot be read'
  }
}

/** This sentence replaces the text of such a message, because someone else may have written it. */
export const formerKeySentence = 'Sealed with a former key'
