import type { LiveConnection } from '@sumlock/sync/ports'
import type { Outbox } from '@sumlock/sync/outbox'
import type { SyncApi } from '@sumlock/sync/ports'
import { createContext, useContext } from 'react'
import type { SealedText } from '../sealed/sealed-text.ts'
import type { Drafts } from './drafts.ts'
import type { UnsentStore } from './unsent-store.ts'

export interface Messaging {
  userId: string
  api: SyncApi
  live: LiveConnection
  outbox: Outbox
  drafts: Drafts
  /** Whether all unsent text would survive a reload. */
  unsent: Pick<UnsentStore, 'isFull' | 'subscribe'>
  text: SealedText
  /** Stops sending and writing. */
  close: () => void
}

/** Null until the unsent messages of an earlier page are loaded. */
export const MessagingContext = createContext<Messaging | null>(null)

export function useMessaging(): Messaging {
  const value = useContext(MessagingContext)
  if (!value) throw new Error('useMessaging must be used within RequireMessaging')
  return value
}
