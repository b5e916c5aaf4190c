import { sentenceOf } from '../../api/base-api.ts'

export interface ToastMessage {
  id: number
  title: string
  description?: string
  variant: 'default' | 'destructive'
  durationMs: number
  /** Whether the toast stays when the person opens another screen. The calculator never shows it. */
  outlivesScreen: boolean
}

const defaultMs = 5000

/** A caller of `toast` passes these fields; the optional ones have defaults. */
export type NewToast = Pick<ToastMessage, 'title'> & Partial<Omit<ToastMessage, 'id'>>

/** Holds the toast on the screen. There is at most one, so a new toast replaces the previous one. */
export function createToasts() {
  const listeners = new Set<() => void>()
  let current: ToastMessage | null = null
  let nextId = 1
  const change = (next: ToastMessage | null) => {
    current = next
    for (const listener of listeners) listener()
  }
  const toast = (shown: NewToast): void =>
    change({ variant: 'default', durationMs: defaultMs, outlivesScreen: false, ...shown, id: nextId++ })
  return {
    toast,
    /** Reports a failed call, with the server's sentence if there is one. */
    toastFailure: (title: string, error: unknown): void =>
      toast({ title, description: sentenceOf(error, 'Please try again.'), variant: 'destructive' }),
    dismissToast: (): void => change(null),
    /** Dismisses the toast of the previous screen, unless it may stay. */
    leaveScreen: (isForCalculator: boolean): void => {
      if (isForCalculator || current?.outlivesScreen === false) change(null)
    },
    get: (): ToastMessage | null => current,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dismiss: (id: number): void => {
      if (current?.id === id) change(null)
    },
  }
}

export type Toasts = ReturnType<typeof createToasts>
