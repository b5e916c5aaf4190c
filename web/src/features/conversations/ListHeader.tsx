import { useNavigate } from 'react-router-dom'
import { GearIcon, PlusIcon } from '../../shared/ui/icons.tsx'
import { ScreenHeader, screenTitleClass } from '../../shared/ui/ScreenHeader.tsx'
import { TipButton } from '../../shared/ui/TipButton.tsx'

const title = 'Secure Messages'

/** Next to a chat, the chat's title is the main heading. */
export function ListHeader({ isBesideChat, onNew }: { isBesideChat: boolean; onNew: () => void }) {
  const navigate = useNavigate()
  return (
    <ScreenHeader title={isBesideChat ? <h2 className={screenTitleClass}>{title}</h2> : title}>
      <TipButton label="New conversation" onClick={onNew}>
        <PlusIcon />
      </TipButton>
      <TipButton label="Settings" onClick={() => void navigate('/settings')}>
        <GearIcon />
      </TipButton>
    </ScreenHeader>
  )
}
