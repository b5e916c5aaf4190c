import { useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'

export interface ConfirmDialogProps {
  title: string
  description: string
  action: string
  /** Whether the action removes nothing. */
  isHarmless?: boolean
  isBusy: boolean
  isDisabled?: boolean
  /** If this rejects, the dialog shows the failure and stays open. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Explains an action and carries it out after a confirmation. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, action, isHarmless = false, onConfirm, onClose, children } = props
  const [failure, setFailure] = useState<string | null>(null)
  const confirm = async () => {
    setFailure(null)
    try {
      await onConfirm()
    } catch (error) {
      setFailure(sentenceOf(error, 'Please try again.'))
    }
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <div className="space-y-4">
        {children}
        {failure && <Notice kind="error">{failure}</Notice>}
        <Button
          variant={isHarmless ? 'primary' : 'danger'}
          className="w-full"
          isBusy={props.isBusy}
          disabled={props.isDisabled}
          onClick={() => void confirm()}
        >
          {action}
        </Button>
        <Button variant="secondary" className="w-full" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
