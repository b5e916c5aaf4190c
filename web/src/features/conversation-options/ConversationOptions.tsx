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
  /** The option is absent if nothing can be sent. */
  onAddMedia?: (() => void) | undefined
  /** Opens the search in this chat. */
  onSearch: () => void
  /** Opens the overview of this chat's media. */
  onMedia: () => void
}

/** Shows the options button in the header of a chat, and the sheet that it opens. */
export function ConversationOptions(props: ConversationOptionsProps) {
  const [shown, setShown] = useState<ShownOption>(null)
  // The sheet stays mounted after its first use, because closing it then returns the focus to the button.
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
