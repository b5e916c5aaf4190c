import { useEffect } from 'react'
import { rarePart } from '../../shared/lib/rare-part.tsx'
import type { OptionsSheetProps } from './OptionsSheet.tsx'

export interface ConfirmProps {
  id: string
  name: string
  onClose: () => void
}

const load = () => import('./confirm-dialogs.ts')

/** Loads the dialogs once the screen is painted, so that they open at once and also without a network. */
export function useLoadedDialogs(): void {
  useEffect(() => {
    // The first dialog that is opened tries again.
    load().catch(() => undefined)
  }, [])
}

export const Block = rarePart<ConfirmProps>(async () => (await load()).BlockDialog)
export const Delete = rarePart<ConfirmProps>(async () => (await load()).DeleteDialog)
export const Options = rarePart<OptionsSheetProps>(async () => (await load()).OptionsSheet)
