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
  /** When the action takes nothing away. */
  isHarmless?: boolean
  isBusy: boolean
  isDisabled?: boolean
  /** Its failure is shown, and the dialog stays. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Says what an action means before it is done. */
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
