import { hasText } from '@sumlock/contracts/has-text'
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

/** These characters would turn the text around the name. A name of Hebrew or Arabic letters needs none of them. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** Gives a partner a name that only this person can read, or takes it away. */
export function NicknameDialog({ id, accountName, nickname, onClose }: NicknameDialogProps) {
  const { text } = useSession()
  const [change, { isLoading }] = useChangeStateMutation()
  const [typed, setTyped] = useState(nickname)
  const hasNoKey = useTrust(id).state === 'no-own-key'
  const wanted = hasText(typed) ? typed.replaceAll(turning, '').trim().toWellFormed() : ''
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
