import { limits } from '@sumlock/contracts/limits'

/**
 * Returns the prefixes of an entry that may have been checked while it was typed. Typing 123456 can fail at 1234, at 12345
 * and at 123456, but counts as one failure, because each earlier failure is a prefix of the next entry.
 */
export function checkedPrefixes(entry: string): string[] {
  const prefixes: string[] = []
  for (let length = limits.pinMinLength; length < entry.length; length += 1)
    prefixes.push(entry.slice(0, length))
  return prefixes
}
