import { rarePart } from '../../shared/lib/rare-part.tsx'
import type { SendAgainProps } from './SendAgain.tsx'

export interface PartnerProps {
  id: string
  name: string
}

export const SecurityCode = rarePart<PartnerProps & { onClose: () => void }>(
  async () => (await import('./SecurityCodeDialog.tsx')).SecurityCodeDialog,
)
export const NewCode = rarePart<PartnerProps & { print: string }>(
  async () => (await import('./NewCodeBar.tsx')).NewCodeBar,
)
export const SendAgain = rarePart<SendAgainProps>(async () => (await import('./SendAgain.tsx')).SendAgain)
