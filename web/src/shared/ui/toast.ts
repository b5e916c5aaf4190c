export interface ToastMessage {
  id: number
  title: string
  description?: string
  variant: 'default' | 'destructive'
  durationMs: number
  /** Told by one screen, read on the next. */
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

/** Takes away what is shown, because it no longer applies. */
export const dismissToast = (): void => change(null)

/** Takes away what the screen before had to say. */
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
