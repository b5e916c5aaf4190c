import { copyText } from '../lib/copy-text.ts'
import type { Toasts } from './toasts.ts'

export interface CopyWithToast {
  text: string
  /** This element shows the text. It is selected if the browser refuses the clipboard. */
  shown: HTMLElement | null
  /** This text is shown under 'Copied to clipboard'. */
  done?: string
}

/** Copies a text and reports the result in a toast. */
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
