import { createContext, useContext } from 'react'
import type { ApiAnswer, Client } from './api/client.ts'
import type { Store } from './api/store.ts'
import type { Entry } from './app/create-entry.ts'
import type { PasswordPrompt } from './features/session/password-prompt.ts'
import type { Opening } from './features/conversations/session-of.ts'
import type { Session } from './features/conversations/open-session.ts'
import type { Busy } from './features/lock/busy.ts'
import type { Lock } from './features/lock/lock-effects.ts'
import type { PickerGrace } from './features/lock/picker-grace.ts'
import type { OwnKeys } from './features/sealed/own-keys.ts'
import type { UserFetch } from './features/session/user-fetch.ts'
import type { WrongEntries } from './features/session/wrong-entries.ts'
import type { Toasts } from './shared/ui/toasts.ts'
import type { Minutes } from './shared/ui/minutes.ts'

/** Holds the secrets and the list that an unlock with the right number has opened. */
export interface Unlocked {
  readonly userId: string
  readonly outboxKey: string | undefined
  readonly keys: Promise<OwnKeys>
  /** The unlock fetches the list of conversations in advance. */
  list?: Promise<ApiAnswer>
}

/** Holds the objects that live as long as the document. */
export interface Page extends Entry {
  readonly client: Client
  readonly store: Store
  readonly lock: Lock
  readonly busy: Busy
  readonly pickerGrace: PickerGrace
  readonly toasts: Toasts
  readonly minutes: Minutes
  readonly userFetch: UserFetch
  readonly wrongEntries: WrongEntries
  readonly passwordPrompt: PasswordPrompt
  /** After 'Cancel' in the set-up, the calculator stays usable until the next page load. */
  isSetUpPutOff: boolean
  /** Whether data of a session was in memory, so that a lock must replace this page. */
  holdsSecrets: boolean
  /** The value is null before an unlock on this page, and after the lock. */
  unlocked: Unlocked | null
  opening: Opening | null
  /** The session lives from an unlock to the lock. */
  session: Session | null
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (!page) throw new Error('usePage must be used within a PageContext')
  return page
}

/** Returns the page, which the store passes to every endpoint as its extra argument. */
export const pageOf = ({ extra }: { extra: unknown }): Page => extra as Page

/** The value is null until the session is open and the unsent messages of an earlier page are loaded. */
export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession must be used within a SessionContext')
  return session
}
