import type { ExportedPage } from '@sumlock/contracts/export-routes'
import type { WholeUser } from '@sumlock/contracts/user'
import { useRef } from 'react'
import { saveFile } from '../device/save-file.ts'
import { openExport } from '../sealed/open-export.ts'
import { endedExport } from '../device/ended-export.ts'
import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useExportAccountMutation, useExportMessagesMutation } from './settings-api.ts'
import { usePage } from '../../page.ts'

interface ExportDialogProps {
  open: boolean
  onClose: () => void
  user: WholeUser
}

/**
 * Saves the data of the account as a file. A retry does not fetch the messages again. The account is fetched last,
 * because the server sends it only once a day, also if a lock then ends the export.
 */
export function ExportDialog({ open, onClose, user }: ExportDialogProps) {
  const page = usePage()
  const { lock } = page
  const [exportAccount] = useExportAccountMutation()
  const [exportMessages] = useExportMessagesMutation()
  const exported = useRef<ExportedPage[]>(undefined)
  const wasEnded = open && endedExport.isNoted()
  const confirm = async (password: string) => {
    endedExport.forget()
    // A lock replaces this page at once, so a note in the tab's storage lets the next page say that the export was
    // ended.
    const stop = lock.subscribe(() => {
      if (lock.state() !== 'open' && lock.state() !== 'ended') endedExport.note()
    })
    try {
      await save(password)
    } finally {
      stop()
    }
  }
  const save = async (password: string) => {
    const pages = (exported.current ??= await exportMessages().unwrap())
    const ofAccount = await exportAccount({ password }).unwrap()
    const { session } = page
    const conversations = session ? await openExport(pages, session.text, session.userId) : pages
    const { subscriptionType, subscriptionExpiresAt } = user
    const subscription = { subscriptionType, subscriptionExpiresAt }
    saveFile('export.json', { ...ofAccount, subscription, conversations })
    endedExport.forget()
  }
  return (
    <AccountPasswordDialog
      open={open}
      title="Export my data"
      action="Export"
      onConfirm={confirm}
      doneText="The file export.json was saved. Whoever has it can read everything in it."
      onClose={() => {
        exported.current = undefined
        endedExport.forget()
        onClose()
      }}
    >
      {wasEnded && (
        <p role="status">
          The app was locked during your last export, which ended it. No file was saved. You can export again
          now.
        </p>
      )}
      <p>
        Your account and everything your conversations show you are saved as a file on this device, once a
        day. The file is not encrypted.
      </p>
    </AccountPasswordDialog>
  )
}
