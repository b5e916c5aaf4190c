import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useCallback, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { usePage } from '../../page.ts'
import { useAuth } from '../session/auth-context.ts'
import { useUnlockMutation } from '../session/session-api.ts'
import { tryNumber } from './try-number.ts'
import type { EntryKind, ImportNextScreen, UnlockResult } from './try-number.ts'

/** Returns a function that tries an entry. After a right one it fetches the user again and opens the next screen. */
export function useUnlock(importNext: ImportNextScreen) {
  const page = usePage()
  const { user, refresh, markUnlocked } = useAuth()
  const navigate = useNavigate()
  const [send] = useUnlockMutation()
  const isReduced = user !== null && !isWholeUser(user)
  const userId = user?.id
  const running = useRef<{ kind: EntryKind; digits: string; result: Promise<UnlockResult> } | null>(null)

  return useCallback(
    async (digits: string, kind: EntryKind, onRight: () => void): Promise<UnlockResult> => {
      const check = () =>
        tryNumber(
          {
            ...{ page, importNext, userId, isReduced, refresh, markUnlocked, navigate },
            verify: (entry) => send(entry).unwrap(),
          },
          digits,
          kind,
          onRight,
        )
      const before = running.current
      // The calculator stays usable during a check, because the person may enter the right number before the check
      // ends.
      if (before?.digits === digits || (before?.kind === kind && kind === 'password-mode')) return 'busy'
      const result = before
        ? before.result.then((first) => (first === 'unlocked' ? first : check()))
        : check()
      const own = { kind, digits, result }
      running.current = own
      return result.finally(() => {
        if (running.current === own) running.current = null
      })
    },
    [page, importNext, isReduced, userId, send, refresh, markUnlocked, navigate],
  )
}
