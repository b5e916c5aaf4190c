import { createContext, useContext, useSyncExternalStore } from 'react'
import type { SafeStorage } from './safe-storage.ts'

export const themes = ['system', 'light', 'dark'] as const
/** `null` shows as many decimals as a result has. */
export const decimalPlaces = [null, 0, 2, 3, 4, 6] as const

export interface Preferences {
  theme: (typeof themes)[number]
  decimals: (typeof decimalPlaces)[number]
  /** Whether the history is stored, so that the next page shows it again. */
  keepsHistory: boolean
}

export interface TapeEntry {
  expression: string
  result: string
  /** The line is never stored, because its last operand may be the number that opens the private part of the app. */
  isTransient?: true
}

const preferencesKey = 'calc.p'
const historyKey = 'calc.h'
const keptEntries = 100
const defaults: Preferences = { theme: 'system', decimals: null, keepsHistory: true }

const canvas = { light: '#f4f5f7', dark: '#101216' }

/** Stores the preferences of this device, and the history if the preferences allow it. */
export function createPreferences(storage: SafeStorage) {
  const listeners = new Set<() => void>()
  let current = read(storage)
  const clearHistory = (): void => storage.remove(historyKey)
  return {
    get: (): Preferences => current,
    change: (changes: Partial<Preferences>): void => {
      current = { ...current, ...changes }
      storage.set(preferencesKey, JSON.stringify(current))
      if (!current.keepsHistory) clearHistory()
      applyTheme(current)
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Returns the history of earlier pages; it is empty if the person turned storing off. */
    history: (): TapeEntry[] => {
      const stored = current.keepsHistory ? parse(storage.get(historyKey)) : null
      return Array.isArray(stored) ? (stored as TapeEntry[]) : []
    },
    keepHistory: (history: readonly TapeEntry[]): void => {
      const kept = history.filter(({ isTransient }) => !isTransient).slice(-keptEntries)
      if (kept.length === 0) clearHistory()
      else if (current.keepsHistory) storage.set(historyKey, JSON.stringify(kept))
    },
    clearHistory,
  }
}

/** Sets the theme as an attribute of the page. The style sheet contains the colours. */
export function applyTheme({ theme }: Preferences): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = canvas[theme === 'system' ? own : theme]
  }
}

export type PreferenceStore = ReturnType<typeof createPreferences>

/** The value is null in the cover's picture of a calculator, which is rendered without preferences. */
export const PreferencesContext = createContext<PreferenceStore | null>(null)

const keep = () => () => undefined

export const usePreferences = (): Preferences => {
  const store = useContext(PreferencesContext)
  const get = () => store?.get() ?? defaults
  return useSyncExternalStore(store?.subscribe ?? keep, get, get)
}

/** Another release may have stored the preferences, so each invalid value is replaced by its default. */
function read(storage: SafeStorage): Preferences {
  const stored = parse(storage.get(preferencesKey)) as Partial<Preferences> | null
  return {
    theme: themes.find((theme) => theme === stored?.theme) ?? defaults.theme,
    decimals: decimalPlaces.find((places) => places === stored?.decimals) ?? defaults.decimals,
    keepsHistory: stored?.keepsHistory !== false,
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
