import { limits } from '@sumlock/contracts/limits'

const pageSize = limits.historyDefaultLimit

/** `before` of a page in the older half: another place each turn, spread evenly, and a whole page each. */
export function deepBefore(messages: number, turn: number): number {
  const places = Math.max(1, messages / 2 - pageSize + 1)
  const golden = 0.618_033_988_749_895
  return pageSize + 1 + Math.floor(((turn * golden) % 1) * places)
}

/** The seqs a page must hold: those right before `before`, or the newest. */
export function expectedSeqs(messages: number, before = messages + 1): { first: number; last: number } {
  return { first: before - pageSize, last: before - 1 }
}
