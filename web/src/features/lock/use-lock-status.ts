import { useSyncExternalStore } from 'react'
import { pendingLock } from './pending-lock.ts'
import type { LockStatus } from './pending-lock.ts'

export const useLockStatus = (): LockStatus => useSyncExternalStore(pendingLock.subscribe, pendingLock.status)
