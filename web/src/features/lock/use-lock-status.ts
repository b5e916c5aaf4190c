import { useSyncExternalStore } from 'react'
import { usePage } from '../../page.ts'
import type { LockStatus } from './lock-effects.ts'

export function useLockStatus(): LockStatus {
  const { lock } = usePage()
  return useSyncExternalStore(lock.subscribe, lock.status)
}
