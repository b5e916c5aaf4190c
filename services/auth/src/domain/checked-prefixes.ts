import { limits } from '@sumlock/contracts/limits'

/**
 * Prefixes of an entry that may have been checked while it was typed. Typing 123456 fails at 1234 and at 12345; all
 * three count as one failure, because the previous failure is one of these prefixes.
 */
export function checkedPrefixes(entry: string): string[] {
  const prefixes: string[] = []
  for (let length = limits.pinMinLength; length < entry.length; length += 1)
    prefixes.push(entry.slice(0, length))
  return prefixes
}
