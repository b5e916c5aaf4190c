import { constants } from 'node:os'

const signalWords: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: 'was killed (SIGKILL: by hand, or by the system for want of memory)',
  SIGTERM: 'was asked to end by somebody else (SIGTERM)',
  SIGINT: 'was interrupted by somebody else (SIGINT)',
  SIGABRT: 'gave up (SIGABRT: out of memory, if it is a Node or Java process)',
  SIGSEGV: 'crashed (SIGSEGV)',
  SIGBUS: 'crashed (SIGBUS: often a full disk under a mapped file)',
  SIGILL: 'crashed (SIGILL: made for another processor)',
}
const codeWords: Record<number, string> = {
  0: 'ended by itself (exit code 0)',
  126: 'could not be run (exit code 126: no permission)',
  127: 'could not be run (exit code 127: the program is not there)',
}
const signalNames = Object.fromEntries(Object.entries(constants.signals).map(([name, code]) => [code, name]))

/** Why a process ended, in words that continue a sentence: "kafka was killed (SIGKILL …)". */
export function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  // Programs that handle a signal themselves answer as shells do, with 128 and its number.
  const name = signal ?? (code !== null && code > 128 ? signalNames[code - 128] : undefined)
  if (name !== undefined) return signalWords[name as NodeJS.Signals] ?? `was ended by signal ${name}`
  return codeWords[code ?? 0] ?? `failed (exit code ${code})`
}
