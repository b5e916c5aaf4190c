import type { WholeUser } from '@sumlock/contracts/user'
import { useRef } from 'react'
import { asApiError } from '../../api/base-api.ts'
import { saveFile } from '../../shared/lib/save-file.ts'
import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useExportAccountMutation, useExportMessagesMutation } from './settings-api.ts'

interface ExportDialogProps {
  open: boolean
  onClose: () => void
  user: WholeUser
}

/** Saves what the account holds as a file. What is fetched already is not fetched again after a failure. */
export function ExportDialog({ open, onClose, user }: ExportDialogProps) {
  const [exportAccount, account] = useExportAccountMutation()
  const [exportMessages, messages] = useExportMessagesMutation()
  const exported = useRef<object>(undefined)
  const confirm = async (password: string) => {
    exported.current ??= await exportAccount({ password }).unwrap()
    const elements = await exportMessages().unwrap()
    if (!isComplete(elements)) throw incomplete
    const { subscriptionType, subscriptionExpiresAt } = user
    const subscription = { subscriptionType, subscriptionExpiresAt }
    saveFile('export.json', { ...exported.current, subscription, conversations: elements.slice(0, -1) })
  }
  return (
    <AccountPasswordDialog
      open={open}
      title="Export my data"
      action="Export"
      isBusy={account.isLoading || messages.isLoading}
      onConfirm={confirm}
      doneText="The file export.json was saved. Whoever has it can read everything in it."
      onClose={() => {
        exported.current = undefined
        onClose()
      }}
    >
      <p>
        Your account and everything your conversations show you are saved as a file on this device, once a
        day. The file is not encrypted.
      </p>
    </AccountPasswordDialog>
  )
}

const isComplete = (elements: readonly object[]) => 'complete' in (elements.at(-1) ?? {})

const incomplete: NonNullable<ReturnType<typeof asApiError>> = {
  status: 0,
  code: 'no_connection',
  sentence: 'The file was not received completely. Please try again.',
  message: '0: incomplete',
}
