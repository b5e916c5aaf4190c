import { useEffect, useSyncExternalStore } from 'react'
import { AccountPasswordDialog } from '../settings/AccountPasswordDialog.tsx'
import { useConfirmPasswordMutation } from './admin-api.ts'
import { usePage } from '../../page.ts'

/**
 * Shows a dialog for the account password while a call waits for it. The screen behind the dialog keeps the admin's
 * entries.
 */
export function PasswordPrompt() {
  const { passwordPrompt } = usePage()
  const isAsked = useSyncExternalStore(passwordPrompt.subscribe, passwordPrompt.isAsked)
  const [confirm] = useConfirmPasswordMutation()
  useEffect(() => () => passwordPrompt.answer(false), [passwordPrompt])
  if (!isAsked) return null
  return (
    <AccountPasswordDialog
      open
      title="Confirm your password"
      action="Continue"
      onConfirm={async (password) => {
        await confirm({ password }).unwrap()
        passwordPrompt.answer(true)
      }}
      doneText="Confirmed."
      onClose={() => passwordPrompt.answer(false)}
    >
      <p>
        Administrators give their account password every 15 minutes. Then what you asked for goes on; nothing
        you typed is lost.
      </p>
    </AccountPasswordDialog>
  )
}
