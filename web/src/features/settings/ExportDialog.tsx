import type { WholeUser } from '@sumlock/contracts/user'
import { useContext, useRef } from 'react'
import { saveFile } from '../../shared/lib/save-file.ts'
import { MessagingContext } from '../messaging/messaging-context.ts'
import { openExport } from '../sealed/open-export.ts'
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
  const messaging = useContext(MessagingContext)
  const exported = useRef<object>(undefined)
  const confirm = async (password: string) => {
    exported.current ??= await exportAccount({ password }).unwrap()
    const pages = await exportMessages().unwrap()
    const conversations = messaging ? await openExport(pages, messaging.text, messaging.userId) : pages
    const { subscriptionType, subscriptionExpiresAt } = user
    const subscription = { subscriptionType, subscriptionExpiresAt }
    saveFile('export.json', { ...exported.current, subscription, conversations })
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
