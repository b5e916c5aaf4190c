import { useState } from 'react'
import { loadConfirmDialogs, Options } from '../../app/chunks/unlocked.tsx'
import { useLoaded } from '../../shared/lib/use-loaded.ts'
import { MoreIcon } from '../../shared/ui/icons.tsx'
import { TipButton } from '../../shared/ui/TipButton.tsx'
import type { ShownOption } from './OptionsSheet.tsx'

export interface ConversationOptionsProps {
  id: string
  name: string
  isMuted: boolean
  isBlocked: boolean
  /** Absent where nothing can be sent. */
  onAddMedia?: (() => void) | undefined
}

/** The options button in the header of a chat, with the sheet that it opens. */
export function ConversationOptions(props: ConversationOptionsProps) {
  const [shown, setShown] = useState<ShownOption>(null)
  // The sheet stays mounted after its first use, so that closing it returns the focus.
  const [wasOpened, setWasOpened] = useState(false)
  useLoaded(loadConfirmDialogs)
  const open = () => {
    setWasOpened(true)
    setShown('menu')
  }
  return (
    <>
      <TipButton label="Conversation options" onClick={open}>
        <MoreIcon />
      </TipButton>
      {wasOpened && <Options {...props} {...{ shown, setShown }} />}
    </>
  )
}
