import { useCallback, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { asApiError } from '../../api/base-api.ts'
import { heap } from '../lock/heap.ts'
import { useAuth } from '../session/auth-context.ts'
import { useVerifyPinMutation } from '../session/session-api.ts'

export type UnlockResult = 'unlocked' | 'wrong' | 'no-connection' | 'no-session'

const beforeRefreshMs = 100
const afterRefreshMs = 200
const pause = (ms: number) => new Promise((resolve) => window.setTimeout(resolve, ms))

/** Tries an entry; when it is right the user is fetched again and the app goes on behind the calculator. */
export function useUnlock() {
  const { refresh } = useAuth()
  const navigate = useNavigate()
  const [verify] = useVerifyPinMutation()
  const isBusy = useRef(false)

  return useCallback(
    async (digits: string, entry: 'password-mode' | 'digits', onRight: () => void): Promise<UnlockResult> => {
      if (isBusy.current) return 'wrong'
      isBusy.current = true
      try {
        const { outboxKey } = await verify({ numericPassword: digits, entry }).unwrap()
        heap.keepKey(outboxKey)
        onRight()
        await pause(beforeRefreshMs)
        await refresh()
        await pause(afterRefreshMs)
        // guard: no-word-of-it
        const { nextAddress } = await import('./next-address.ts')
        void navigate(nextAddress)
        return 'unlocked'
      } catch (error) {
        const { status = 0, code } = asApiError(error) ?? {}
        if (status === 401) return 'no-session'
        return code === 'wrong_pin' ? 'wrong' : 'no-connection'
      } finally {
        isBusy.current = false
      }
    },
    [verify, refresh, navigate],
  )
}
