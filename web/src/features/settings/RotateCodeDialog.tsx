import { useState } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { useRotateUserCodeMutation } from './settings-api.ts'
import { usePage } from '../../page.ts'

/** Explains the consequences and, after a confirmation, replaces the user code. */
export function RotateCodeDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { toast } = usePage().toasts
  const [rotate, { isLoading }] = useRotateUserCodeMutation()
  const [failure, setFailure] = useState<string | null>(null)
  const close = () => {
    setFailure(null)
    onClose()
  }
  const confirm = async () => {
    setFailure(null)
    try {
      const { userCode } = await rotate().unwrap()
      toast({ title: 'You have a new code', description: `${userCode}. The old one no longer works.` })
      close()
    } catch (error) {
      setFailure(sentenceOf(error, 'Please try again.'))
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Get a new code"
      description="Your present code stops working at once and is never used again. Your conversations stay, and the people in them see the new code."
    >
      <div className="space-y-4">
        {failure && <Notice kind="error">{failure}</Notice>}
        <Button className="w-full" isBusy={isLoading} onClick={() => void confirm()}>
          Get a new code
        </Button>
        <Button variant="secondary" className="w-full" onClick={close}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
