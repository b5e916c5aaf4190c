import type { SyncClock } from './ports.ts'

export const systemClock: SyncClock = {
  nowMs: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: () => Math.random(),
}
