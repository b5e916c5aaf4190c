import { limits } from '@sumlock/contracts/limits'
import { useState } from 'react'
import { useSession } from '../../page.ts'
import { Notice } from '../../shared/ui/Notice.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useTrust } from '../delivery/use-sealed.ts'
import { sealNickname } from '../sealed/nicknames.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useChangeStateMutation } from './options-api.ts'

export interface NicknameDialogProps {
  id: string
  /** The other person's user name. */
  accountName: string
  nickname: string
  onClose: () => void
}

/** Gives a partner a name that only this person can read, or takes it away. */
export function NicknameDialog({ id, accountName, nickname, onClose }: NicknameDialogProps) {
  const { text } = useSession()
  const [change, { isLoading }] = useChangeStateMutation()
  const [typed, setTyped] = useState(nickname)
  const hasNoKey = useTrust(id).state === 'no-own-key'
  const wanted = typed.trim().toWellFormed()
  return (
    <ConfirmDialog
      title="Nickname"
      description={`You see it in place of ${accountName}, on all your devices. It is encrypted for you alone, and ${accountName} is not told.`}
      action={wanted === '' && nickname !== '' ? 'Remove nickname' : 'Save'}
      isHarmless
      isDisabled={hasNoKey || wanted === nickname}
      isBusy={isLoading}
      onConfirm={async () => {
        const sealed = wanted === '' ? null : await sealNickname(id, wanted, await text.ownKeys())
        await change({ id, nickname: sealed }).unwrap()
        onClose()
      }}
      onClose={onClose}
    >
      {hasNoKey ? (
        <Notice kind="warning">
          This browser has no key of yours, so it can neither show nor encrypt a nickname. Lock and enter your
          number; the address must begin with https.
        </Notice>
      ) : (
        <TextField
          label="Nickname"
          dir="auto"
          autoComplete="off"
          maxLength={limits.nicknameMaxLength}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </ConfirmDialog>
  )
}
