import { useState } from 'react'
import type { FormEvent } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { isReaction } from './reaction-chips.ts'

export interface ReactionDialogProps {
  onChoose: (emoji: string) => void
  onClose: () => void
}

/** Takes any emoji that the keyboard of the device has. */
export function ReactionDialog({ onChoose, onClose }: ReactionDialogProps) {
  const [typed, setTyped] = useState('')
  const emoji = typed.trim()
  const isOne = isReaction(emoji)
  const choose = (event: FormEvent) => {
    event.preventDefault()
    onChoose(emoji)
  }
  return (
    <Dialog open onOpenChange={onClose} title="React" description="Choose an emoji on your keyboard.">
      <form className="space-y-4" onSubmit={choose}>
        <TextField
          label="Emoji"
          dir="auto"
          autoComplete="off"
          value={typed}
          error={emoji === '' || isOne ? undefined : 'Choose one emoji.'}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" className="w-full" disabled={!isOne}>
          React
        </Button>
      </form>
    </Dialog>
  )
}
