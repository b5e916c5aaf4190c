export interface ToastMessage {
  id: number
  title: string
  description?: string
  variant: 'default' | 'destructive'
  durationMs: number
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
}): void {
  change({ variant: 'default', durationMs: defaultMs, ...message, id: nextId++ })
}

/** Takes away what is shown, because it no longer applies. */
export const dismissToast = (): void => change(null)

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
