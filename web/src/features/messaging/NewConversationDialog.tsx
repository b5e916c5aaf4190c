import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { toast } from '../../shared/ui/toast.ts'
import { useStartConversationMutation } from './messaging-api.ts'

export function NewConversationDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const navigate = useNavigate()
  const [start, { isLoading }] = useStartConversationMutation()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)

  const close = () => {
    setError(undefined)
    onOpenChange(false)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') {
      close()
      return
    }
    try {
      const { id } = await start(code.trim()).unwrap()
      close()
      setCode('')
      void navigate(`/conversation/${id}`)
    } catch (error) {
      const description = sentenceOf(error, 'Error starting conversation. Please check the user code.')
      toast({ title: 'Failed to start conversation', description, variant: 'destructive' })
      setError(description)
      form.current?.querySelector('input')?.focus()
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="New conversation"
      description="Enter the code of the person you want to write to. They find it in their settings."
    >
      <form ref={form} className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="User code"
          value={code}
          error={error}
          onChange={(event) => {
            setCode(event.target.value)
            setError(undefined)
          }}
          placeholder="XXXX-XXXX-X"
          autoCapitalize="characters"
          autoComplete="off"
          autoFocus
          spellCheck={false}
        />
        <div className="flex gap-2">
          <Button variant="secondary" className="flex-1" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" className="flex-1" disabled={isLoading}>
            Start
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
