import { useState } from 'react'

/** Holds which of several dialogs is open. */
export function useDialog<Name extends string>() {
  const [dialog, setDialog] = useState<Name | null>(null)
  return { dialog, open: (name: Name) => () => setDialog(name), close: () => setDialog(null) }
}
