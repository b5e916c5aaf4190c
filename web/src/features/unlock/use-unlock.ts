import { useCallback, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { asApiError } from '../../api/base-api.ts'
import { importModule } from '../../shared/lib/import-module.ts'
import { heap } from '../lock/heap.ts'
import { pendingLock } from '../lock/pending-lock.ts'
import { useAuth } from '../session/auth-context.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { isDiscreetDevice } from '../session/known-device.ts'
import { useVerifyPinMutation } from '../session/session-api.ts'
import { wrongEntries } from '../session/wrong-entries.ts'

/** `busy`: the same kind of entry is being checked, this one was not looked at. */
export type UnlockResult = 'unlocked' | 'wrong' | 'no-connection' | 'no-session' | 'busy'
export type EntryKind = 'password-mode' | 'digits'

const beforeRefreshMs = 100
const afterRefreshMs = 200
const refreshWithinMs = 2000
const pause = (ms: number) => new Promise((resolve) => window.setTimeout(resolve, ms))

/** Tries an entry; when it is right the user is fetched again and the app goes on behind the calculator. */
export function useUnlock() {
  const { refresh, markUnlocked } = useAuth()
  const navigate = useNavigate()
  const [verify] = useVerifyPinMutation()
  const running = useRef<{ kind: EntryKind; result: Promise<UnlockResult> } | null>(null)

  return useCallback(
    async (digits: string, kind: EntryKind, onRight: () => void): Promise<UnlockResult> => {
      const check = async (): Promise<UnlockResult> => {
        if (!(await pendingLock.settle())) return 'no-connection'
        try {
          const answer = await verify({ numericPassword: digits, entry: kind }).unwrap()
          heap.keepKey(answer.outboxKey)
          wrongEntries.keep(answer.wrongEntries ?? 0)
          pendingLock.disarm()
          onRight()
          if (answer.unlockedUntil) markUnlocked(answer.unlockedUntil)
          await pause(beforeRefreshMs)
          // The answer itself opens the way, but a reduced user cannot be marked: the whole one is waited for.
          const whole = refresh()
          if (!isDiscreetDevice()) await Promise.race([whole, pause(refreshWithinMs)])
          else if (!isUnlocked(await whole)) return resultOf(null)
          await pause(afterRefreshMs)
          // guard: no-word-of-it
          const { nextAddress } = await importModule(() => import('./next-address.ts'))
          void navigate(nextAddress)
          return 'unlocked'
        } catch (error) {
          return resultOf(error)
        }
      }
      const before = running.current
      if (before?.kind === kind || (before && kind === 'digits')) return 'busy'
      const result = before
        ? before.result.then((first) => (first === 'unlocked' ? first : check()))
        : check()
      const own = { kind, result }
      running.current = own
      return result.finally(() => {
        if (running.current === own) running.current = null
      })
    },
    [verify, refresh, markUnlocked, navigate],
  )
}

function resultOf(error: unknown): UnlockResult {
  const { status = 0, code } = asApiError(error) ?? {}
  if (status === 401) return 'no-session'
  if (code === 'wrong_pin') return 'wrong'
  // It may have been right, and the session is open now.
  pendingLock.record()
  void pendingLock.settle()
  return 'no-connection'
}
