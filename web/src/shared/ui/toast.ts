export interface ToastMessage {
  id: number
  title: string
  description?: string
  variant: 'default' | 'destructive'
  durationMs: number
  /** Stays when the screen changes. */
  outlivesScreen: boolean
}

const defaultMs = 5000
let current: ToastMessage | null = null
let nextId = 1
const listeners = new Set<() => void>()

const change = (next: ToastMessage | null) => {
  current = next
  for (const listener of listeners) listener()
}

/** Shows a toast; there is one at a time, the newest. */
export function toast(message: {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  durationMs?: number
  outlivesScreen?: boolean
}): void {
  change({ variant: 'default', durationMs: defaultMs, outlivesScreen: false, ...message, id: nextId++ })
}

/** Dismisses the toast on screen. */
export const dismissToast = (): void => change(null)

/** Dismisses the toast of the previous screen. */
export function leaveScreen(isForCalculator: boolean): void {
  if (isForCalculator || current?.outlivesScreen === false) change(null)
}

export const toastStore = {
  get: (): ToastMessage | null => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  dismiss: (id: number): void => {
    if (current?.id === id) change(null)
  },
}
