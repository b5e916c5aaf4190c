import { useLayoutEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { sentenceOf } from '../../api/base-api.ts'
import { groupUserCode } from '../../shared/lib/user-code.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { CopyableCode } from '../../shared/ui/CopyableCode.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useStartConversationMutation } from './messaging-api.ts'
import { usePage } from '../../page.ts'

export interface NewConversationDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The field starts with this code, which may come from a link. */
  firstCode?: string
  /** The dialog also shows the person's own code, which the other person could enter instead. */
  ownCode?: string | undefined
}

export function NewConversationDialog({
  open,
  onOpenChange,
  firstCode = '',
  ownCode,
}: NewConversationDialogProps) {
  const { toast } = usePage().toasts
  const navigate = useNavigate()
  const [start, { isLoading }] = useStartConversationMutation()
  const [code, setCode] = useState(firstCode)
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)

  const close = () => {
    setError(undefined)
    onOpenChange(false)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code === '') {
      close()
      return
    }
    try {
      const { id } = await start(groupUserCode(code)).unwrap()
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
        <CodeField
          code={code}
          error={error}
          onChange={(next) => {
            setCode(next)
            setError(undefined)
          }}
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
      {ownCode && (
        <div className="mt-4 border-t border-line pt-3">
          <h3 className="text-sm font-medium text-ink-2">Your code, for the other person</h3>
          <CopyableCode code={ownCode} className="text-row" />
        </div>
      )}
    </Dialog>
  )
}

interface CodeFieldProps {
  code: string
  error: string | undefined
  onChange: (code: string) => void
}

/** Groups the characters of a code while it is typed or pasted. The cursor stays after the same character. */
function CodeField({ code, error, onChange }: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const cursor = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (cursor.current !== null) field.current?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = null
  })
  return (
    <TextField
      ref={field}
      label="User code"
      value={code}
      error={error}
      onChange={({ target, nativeEvent }) => {
        // A keyboard that composes words repeats letters if the text changes during the composition.
        if ((nativeEvent as InputEvent).isComposing) return onChange(target.value)
        const at = target.selectionStart ?? target.value.length
        const isAtEnd = at === target.value.length
        cursor.current = isAtEnd ? null : groupUserCode(target.value.slice(0, at)).length
        onChange(groupUserCode(target.value))
      }}
      onCompositionEnd={({ currentTarget }) => onChange(groupUserCode(currentTarget.value))}
      placeholder="XXXX-XXXX-X"
      autoCapitalize="characters"
      autoComplete="off"
      autoFocus
      spellCheck={false}
    />
  )
}
