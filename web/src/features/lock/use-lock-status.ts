import { useSyncExternalStore } from 'react'
import { lock } from './lock-effects.ts'
import type { LockStatus } from './lock-effects.ts'

export const useLockStatus = (): LockStatus => useSyncExternalStore(lock.subscribe, lock.status)
