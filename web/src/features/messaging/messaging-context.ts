import type { LiveConnection } from '@sumlock/sync/ports'
import type { Outbox } from '@sumlock/sync/outbox'
import { createContext, useContext } from 'react'

export interface Messaging {
  userId: string
  live: LiveConnection
  outbox: Outbox
}

export const MessagingContext = createContext<Messaging | null>(null)

export function useMessaging(): Messaging {
  const value = useContext(MessagingContext)
  if (!value) throw new Error('useMessaging must be used within a MessagingProvider')
  return value
}
