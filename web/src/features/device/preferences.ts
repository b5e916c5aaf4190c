import { useSyncExternalStore } from 'react'
import { deviceStorage } from './safe-storage.ts'

export const themes = ['system', 'light', 'dark'] as const
/** `null` shows as many decimals as a result has. */
export const decimalPlaces = [null, 0, 2, 3, 4, 6] as const

export interface Preferences {
  theme: (typeof themes)[number]
  decimals: (typeof decimalPlaces)[number]
  /** Whether the history outlives the page. */
  keepsHistory: boolean
}

export interface TapeEntry {
  expression: string
  result: string
  /** Must not outlive the page: its last operand may be what opens the device's private part. */
  isTransient?: true
}

const preferencesKey = 'calc.p'
const historyKey = 'calc.h'
const keptEntries = 100
const defaults: Preferences = { theme: 'system', decimals: null, keepsHistory: true }

const listeners = new Set<() => void>()
let current = read()

/** Stored values may come from another release: an invalid one becomes the default. */
function read(): Preferences {
  const stored = parse(deviceStorage.get(preferencesKey)) as Partial<Preferences> | null
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

export const preferences = {
  get: (): Preferences => current,
  change: (changes: Partial<Preferences>): void => {
    current = { ...current, ...changes }
    deviceStorage.set(preferencesKey, JSON.stringify(current))
    if (!current.keepsHistory) keptHistory.clear()
    applyTheme()
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export const usePreferences = (): Preferences =>
  useSyncExternalStore(preferences.subscribe, preferences.get, preferences.get)

const canvas = { light: '#f4f5f7', dark: '#101216' }

/** Writes the theme on the page; the colours themselves are in the style sheet. */
export function applyTheme(): void {
  const { theme } = current
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = canvas[theme === 'system' ? own : theme]
  }
}

/** The history of earlier pages; empty when the person chose not to keep it. */
export const keptHistory = {
  get: (): TapeEntry[] => {
    const stored = current.keepsHistory ? parse(deviceStorage.get(historyKey)) : null
    return Array.isArray(stored) ? (stored as TapeEntry[]) : []
  },
  keep: (history: readonly TapeEntry[]): void => {
    const kept = history.filter(({ isTransient }) => !isTransient).slice(-keptEntries)
    if (kept.length === 0) keptHistory.clear()
    else if (current.keepsHistory) deviceStorage.set(historyKey, JSON.stringify(kept))
  },
  clear: (): void => deviceStorage.remove(historyKey),
}
