import { sentenceOf } from '../../api/base-api.ts'

export interface ToastMessage {
  id: number
  title: string
  description?: string
  variant: 'default' | 'destructive'
  durationMs: number
  /** Whether it stays when the screen changes. */
  outlivesScreen: boolean
}

const defaultMs = 5000

/** A caller of `toast` gives these fields; the rest has defaults. */
export type NewToast = Pick<ToastMessage, 'title'> & Partial<Omit<ToastMessage, 'id'>>

/** The toast on screen. There is at most one, the newest. */
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
    /** Dismisses the toast of the previous screen. */
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
