import type { Guard } from './guard.ts'

/** The product on one machine, and what somebody sees who taps around. */
export const machineGuards: readonly Guard[] = [
  {
    id: 'one-run',
    invariant: 'A data folder has one run at a time',
    file: 'libs/stack/src/claim-run.ts',
    cut: 'if (last && isSupervised(last)) throw new Error(runsAlready(last))',
    leave: '',
    test: { file: 'libs/stack/test/claim-run.test.ts', title: 'is refused to a second run' },
  },
  {
    id: 'end-leftovers',
    invariant: 'What a killed run left is ended by the next',
    file: 'libs/stack/src/claim-run.ts',
    cut: 'await endLeftovers(last.mark)',
    leave: '0',
    test: { file: 'libs/stack/test/claim-run.test.ts', title: 'goes to the next run after a SIGKILL' },
  },
  {
    id: 'that-very-process',
    invariant: 'A later process with an old id is spared',
    file: 'libs/stack/src/run-record.ts',
    cut: 'identityOf(pid) === identity',
    leave: 'identityOf(pid) !== null',
    test: { file: 'libs/stack/test/claim-run.test.ts', title: 'spares a process that has the id' },
  },
  {
    id: 'deaf-leftovers',
    invariant: 'A leftover that does not listen is ended all the same',
    file: 'libs/stack/src/leftovers.ts',
    cut: "signalMarked(mark, 'SIGKILL')",
    leave: '',
    test: { file: 'libs/stack/test/claim-run.test.ts', title: 'ends a leftover that is paused or deaf' },
  },
  {
    id: 'one-in-at-a-time',
    invariant: 'Of two that want the same file one waits',
    file: 'libs/stack/src/file-lock.ts',
    cut: "flag: 'wx'",
    leave: "flag: 'w'",
    test: { file: 'libs/stack/src/file-lock.test.ts', title: 'lets one in at a time' },
  },
  {
    id: 'back-off',
    invariant: 'A part that keeps dying is started ever more rarely',
    file: 'libs/stack/src/supervise.ts',
    cut: 'Math.min(2 * delayMs, backOff.mostMs)',
    leave: 'delayMs',
    test: { file: 'libs/stack/test/supervise.test.ts', title: 'is tried again ever more rarely' },
  },
  {
    id: 'stays-stopped',
    invariant: 'Nothing is started again once the product stops',
    file: 'libs/stack/src/supervise.ts',
    cut: 'waited && !stopped',
    leave: 'part',
    test: {
      file: 'libs/stack/test/supervise.test.ts',
      title: 'is not started again once supervision has ended',
    },
  },
  {
    id: 'one-lazy-door',
    invariant: 'The calculator brings nothing along of what is behind it',
    file: 'web/src/app/App.tsx',
    cut: "lazy(async () => ({ default: (await import('./InnerRoutes.tsx')).InnerRoutes }))",
    leave: "Behind\nimport { InnerRoutes as Behind } from './InnerRoutes.tsx'",
    test: {
      file: 'web/src/app/disguise.test.ts',
      title: 'is a calculator, and none of the screens behind it',
    },
  },
  {
    id: 'no-word-of-it',
    invariant: 'No module of the calculator says a word of what is behind',
    file: 'web/src/features/unlock/use-unlock.ts',
    cut: "const { nextAddress } = await import('./next-address.ts')",
    leave: "const nextAddress = '/messaging'",
    test: { file: 'web/src/app/disguise.test.ts', title: 'says no word of what is behind' },
  },
  {
    id: 'digits-only',
    invariant: 'Only digits that were typed as such may be a number that unlocks',
    file: 'web/src/features/calculator/machine.ts',
    cut: 'state.plain &&',
    leave: '',
    test: {
      file: 'web/src/features/calculator/machine.test.ts',
      title: 'does not hold after "12nn"',
    },
  },
]
