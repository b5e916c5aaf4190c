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

/** What a caller of `toast` says; the rest has defaults. */
export type NewToast = Pick<ToastMessage, 'title'> & Partial<Omit<ToastMessage, 'id'>>

/** Shows a toast; there is one at a time, the newest. */
export function toast(shown: NewToast): void {
  change({ variant: 'default', durationMs: defaultMs, outlivesScreen: false, ...shown, id: nextId++ })
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
