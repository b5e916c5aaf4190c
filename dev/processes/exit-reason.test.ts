import { exitReason } from './exit-reason.ts'

it.each([
  [null, 'SIGKILL', /^was killed \(SIGKILL/],
  [null, 'SIGUSR2', /^was ended by signal SIGUSR2$/],
  [137, null, /^was killed \(SIGKILL/],
  [139, null, /^crashed \(SIGSEGV\)$/],
  [1, null, /^failed \(exit code 1\)$/],
  [0, null, /^ended by itself/],
  [127, null, /the program is not there/],
] as const)('says why a process ended: code %s, signal %s', (code, signal, words) => {
  expect(exitReason(code, signal)).toMatch(words)
})
