const maxLength = 2048
const printable = /^[\x21-\x7e]+$/
const trick = /\/\/|\\|%(?:2e|2f|5c|00)|\/\.{1,2}(?:\/|$)/i

/**
 * Whether a request target means one thing only. Two readings of a path, here and in the service behind, are how
 * rules are walked around: so anything that could be read twice is refused.
 */
export function isCanonicalPath(target: string): boolean {
  if (target.length > maxLength || !target.startsWith('/') || !printable.test(target)) return false
  return !trick.test(target.split('?', 1)[0] as string)
}
