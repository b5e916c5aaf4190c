import { copyText } from '../lib/copy-text.ts'
import type { Toasts } from './toasts.ts'

export interface CopyWithToast {
  text: string
  /** Shows the text, and is selected when the browser refuses the clipboard. */
  shown: HTMLElement | null
  /** Under 'Copied to clipboard'. */
  done?: string
}

/** Copies a text, and says in a toast whether that worked. */
export async function copyWithToast({ toast }: Toasts, { text, shown, done }: CopyWithToast): Promise<void> {
  if (await copyText(text, shown))
    toast({ title: 'Copied to clipboard', ...(done ? { description: done } : {}) })
  else
    toast({
      title: 'Not copied',
      description: 'The browser did not allow it. The text is selected: copy it by hand.',
      variant: 'destructive',
    })
}
