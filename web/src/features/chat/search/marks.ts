import { createContext } from 'react'
import type { ReactNode } from 'react'

/** Marks the searched text in the messages while a search is open. */
export interface Marks {
  /** The search has led to the message with this id. */
  currentId: string | null
  mark: (text: string, isCurrent: boolean) => ReactNode
}

export const MarksContext = createContext<Marks | null>(null)
