import type { UnlockAnswer } from '@sumlock/contracts/lock-routes'
import type { User } from '@sumlock/contracts/user'
import type { NavigateFunction } from 'react-router-dom'
import { asApiError } from '../../api/base-api.ts'
import type { Page } from '../../page.ts'
import { isDiscreetDevice } from '../device/known-device.ts'
import { releaseOfServer } from '../device/newest-page.ts'
import type { Lock } from '../lock/lock-effects.ts'
import { noKeys } from '../sealed/own-keys.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { keepUnlocked } from './keep-unlocked.ts'

/**
 * `busy` means that this entry was ignored, because another one is being checked or the page is closing. `outdated`
 * means that the server has a newer release and no longer serves this release's next screen.
 */
export type UnlockResult = 'unlocked' | 'wrong' | 'no-connection' | 'no-session' | 'busy' | 'outdated'
/** `after-plus` means that the digits follow a plus at 0, `digits` that nothing precedes them. */
export type EntryKind = 'password-mode' | 'after-plus' | 'digits'

const beforeRefreshMs = 100
const afterRefreshMs = 200
const refreshWithinMs = 2000
const wholeUserWithinMs = 5000
/** Loading the parts has the same time limit as a call. */
const partsWithinMs = 15_000
const loaded = <T>(load: () => Promise<T>) => load().catch(() => undefined)
const importKeyOpening = () => import('../sealed/open-keys.ts')

/**
 * Describes the module of the next screen. The app passes its import, because the calculator's chunks must not name it.
 */
export interface NextScreen {
  readonly nextAddress: string
  prefetchList: (page: Page) => void
  loadNextScreen: (page: Page, userId: string | undefined) => Promise<void>
}
export type ImportNextScreen = () => Promise<NextScreen>

const pause = (ms: number) => new Promise<null>((resolve) => window.setTimeout(() => resolve(null), ms))

/** Loads the parts and the CSRF token early when an entry is likely to follow. */
export const prepareUnlock = ({ client }: Page, importNext: ImportNextScreen): void => {
  void loaded(importNext)
  void loaded(importKeyOpening)
  client.prepareChange()
}

/** Describes whose number is tried and which screen follows a right one. */
export interface Trial {
  page: Page
  importNext: ImportNextScreen
  userId: string | undefined
  /** Whether only a reduced user is loaded, which is all that discreet mode provides before an unlock. */
  isReduced: boolean
  verify: (entry: { numericPassword: string; entry: 'password-mode' | 'digits' }) => Promise<UnlockAnswer>
  refresh: () => Promise<User | null>
  markUnlocked: (until: string) => void
  navigate: NavigateFunction
}

/** Tries a number on the server and opens the next screen if it is right. */
export async function tryNumber(
  trial: Trial,
  digits: string,
  kind: EntryKind,
  onRight: () => void,
): Promise<UnlockResult> {
  const { page, importNext, userId, verify, refresh, navigate } = trial
  const { lock, client } = page
  // A page that is about to be replaced tries no number, because the next page locks first.
  if (await lock.finishClosing()) return 'busy'
  if (!(await lock.settle())) return 'no-connection'
  if (await lock.finishClosing()) return 'busy'
  // The next screen is loaded first, so that nothing can fail after a right entry.
  const loading = Promise.all([loaded(importNext), loaded(importKeyOpening)])
  const parts = await Promise.race([loading, pause(partsWithinMs)])
  // A server that never answers must block neither the keys of the calculator nor the next number.
  if (parts === null) return 'no-connection'
  const [next, keys] = parts
  if (!next || !keys) return (await releaseOfServer()) === 'newer' ? 'outdated' : 'no-connection'
  const keyOpening = keys.beginOpening(client, digits, userId)
  lock.dispatch('tried')
  try {
    const answer = await verify({ numericPassword: digits, entry: budgetOf(kind) })
    return await openNext(trial, answer, next, () => {
      keepUnlocked(page, {
        userId: answer.userId,
        outboxKey: answer.outboxKey,
        keys: keyOpening.finish(answer).catch(() => noKeys),
      })
      onRight()
    })
  } catch (error) {
    // The number was right, but the account is scheduled for deletion. The settings offer to keep it.
    if (asApiError(error)?.code === 'deletion_scheduled') {
      lock.dispatch('wrong')
      await refresh()
      void navigate('/settings')
      return 'wrong'
    }
    return resultOf(lock, error)
  }
}

/** Stores the keys after a right number and opens the next screen. */
async function openNext(
  { page, isReduced, refresh, markUnlocked, navigate }: Trial,
  answer: UnlockAnswer,
  next: NextScreen,
  open: () => void,
): Promise<UnlockResult> {
  const { lock, wrongEntries } = page
  wrongEntries.keep(answer)
  lock.dispatch('right')
  // A reduced user (discreet mode) cannot be marked as unlocked, so the whole user is fetched first.
  const needsWhole = isReduced || isDiscreetDevice()
  const refreshed = pause(beforeRefreshMs).then(refresh)
  if (!needsWhole) {
    open()
    next.prefetchList(page)
  }
  // The screen is loaded meanwhile. If that fails, opening the screen reports it.
  next.loadNextScreen(page, needsWhole ? undefined : answer.userId).catch(() => undefined)
  markUnlocked(answer.unlockedUntil)
  const limit = needsWhole ? wholeUserWithinMs : refreshWithinMs
  const whole = await Promise.race([refreshed, pause(beforeRefreshMs + limit)])
  if (needsWhole) {
    if (!isUnlocked(whole)) return resultOf(lock, null)
    open()
  }
  await pause(afterRefreshMs)
  void navigate(next.nextAddress)
  return 'unlocked'
}

/**
 * Bare digits have a tighter budget of tries and are called wrong when it is used up, so that guesses by bare digits do
 * not use up the budget of password mode.
 */
const budgetOf = (kind: EntryKind) => (kind === 'digits' ? kind : 'password-mode')

function resultOf(lock: Lock, error: unknown): UnlockResult {
  const { status = 0, code } = asApiError(error) ?? {}
  if (status === 401) {
    lock.dispatch('said-signed-out')
    return 'no-session'
  }
  if (code === 'wrong_pin') {
    lock.dispatch('wrong')
    return 'wrong'
  }
  // The answer was lost, so the number may have been right and the session unlocked.
  lock.dispatch('lost')
  return 'no-connection'
}
