import { useState } from 'react'
import { Block, Delete } from '../../app/chunks/unlocked.tsx'
import { Button } from '../../shared/ui/Button.tsx'
import { useChangeStateMutation } from './options-api.ts'
import type { StateChange } from './options-api.ts'
import { ChatBar } from './ChatBar.tsx'
import { usePage } from '../../page.ts'

export interface BarProps {
  id: string
  name: string
}

function useChange() {
  const { toastFailure } = usePage().toasts
  const [change, { isLoading }] = useChangeStateMutation()
  const apply = async (wanted: StateChange) => {
    try {
      await change(wanted).unwrap()
    } catch (error) {
      toastFailure('Not changed', error)
    }
  }
  return { apply: (wanted: StateChange) => void apply(wanted), isLoading }
}

export function BlockedBar({ id, name }: BarProps) {
  const { apply, isLoading } = useChange()
  return (
    <ChatBar text={`You blocked ${name}.`}>
      <Button
        variant="secondary"
        className="flex-1"
        isBusy={isLoading}
        onClick={() => apply({ id, isBlocked: false })}
      >
        Unblock
      </Button>
    </ChatBar>
  )
}

/** Lets the person accept, delete or block a conversation that waits as a request. */
export function RequestBar({ id, name }: BarProps) {
  const { apply, isLoading } = useChange()
  const [shown, setShown] = useState<'block' | 'delete' | null>(null)
  const dialog = { id, name, onClose: () => setShown(null) }
  return (
    <ChatBar text={`${name} wants to talk to you and does not learn that you looked until you accept.`}>
      <Button className="flex-1" isBusy={isLoading} onClick={() => apply({ id, isAccepted: true })}>
        Accept
      </Button>
      <Button variant="secondary" className="flex-1" onClick={() => setShown('delete')}>
        Delete
      </Button>
      <Button variant="secondary" className="flex-1" onClick={() => setShown('block')}>
        Block
      </Button>
      {shown === 'block' && <Block {...dialog} />}
      {shown === 'delete' && <Delete {...dialog} />}
    </ChatBar>
  )
}
