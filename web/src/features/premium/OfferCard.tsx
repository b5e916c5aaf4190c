import type { ReactNode } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'

interface OfferCardProps {
  title: string
  text: string
  action: string
  onOpen: () => void
  children?: ReactNode
}

/** Shows a card whose button opens a dialog. */
export function OfferCard({ title, text, action, onOpen, children }: OfferCardProps) {
  return (
    <Card>
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-0.5 text-sm text-ink-2">{text}</p>
      {children}
      <Button variant="secondary" className="mt-3 w-full" onClick={onOpen}>
        {action}
      </Button>
    </Card>
  )
}
