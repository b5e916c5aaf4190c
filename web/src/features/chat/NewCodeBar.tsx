import { useState } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { ChatBar } from '../conversation-options/ChatBar.tsx'
import { useSession } from '../../page.ts'
import { SecurityCodeDialog } from './SecurityCodeDialog.tsx'
import { usePage } from '../../page.ts'

/** Replaces the composer when a verified code has changed: nothing is sent before the person accepts the new one. */
export function NewCodeBar({ id, name, print }: { id: string; name: string; print: string }) {
  const { toastFailure } = usePage().toasts
  const { text } = useSession()
  const [isComparing, setIsComparing] = useState(false)
  const accept = () => {
    text.accept(id, { print }).catch((error: unknown) => toastFailure('Not changed', error))
  }
  return (
    <ChatBar
      text={`${name}’s security code changed, and you had compared it. Someone may be reading along. Compare the new code with ${name} before you write.`}
    >
      <Button className="flex-1" onClick={() => setIsComparing(true)}>
        Compare
      </Button>
      <Button variant="secondary" className="flex-1" onClick={accept}>
        Write without comparing
      </Button>
      {isComparing && <SecurityCodeDialog id={id} name={name} onClose={() => setIsComparing(false)} />}
    </ChatBar>
  )
}
