import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { useNavigate } from 'react-router-dom'
import { TimerMark } from '../../app/chunks/unlocked.tsx'
import { codeClass, nameClass } from '../../shared/ui/name-classes.ts'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { ConversationOptions } from '../conversation-options/ConversationOptions.tsx'
import type { ConversationOptionsProps } from '../conversation-options/ConversationOptions.tsx'
import { Avatar } from '../conversations/Avatar.tsx'

/** The search or the overview of media is open. */
export type Place = 'search' | 'media' | null

export interface ChatHeaderProps extends Pick<
  ConversationOptionsProps,
  'id' | 'name' | 'isMuted' | 'isBlocked'
> {
  userCode: string
  timer: Conversation['timer']
  /** Sets the timer; undefined where it cannot be set. */
  onTimer: (() => void) | undefined
  onAddMedia: (() => void) | undefined
  onPlace: (place: Place) => void
}

/** Shows who the other person is, and the options of the chat. */
export function ChatHeader(props: ChatHeaderProps) {
  const { id, name, userCode, timer, onTimer, isMuted, isBlocked, onAddMedia, onPlace } = props
  const navigate = useNavigate()
  return (
    <ScreenHeader
      back={{ label: 'Back to Messages', onBack: () => void navigate('/messaging') }}
      title={
        <>
          <Avatar name={name} size="size-10" />
          <div className="ml-2 min-w-0 flex-1">
            <ScreenTitle dir="auto" className={`${nameClass} text-left text-row font-semibold`}>
              {name}
            </ScreenTitle>
            <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-2">
              <span className={codeClass}>{userCode}</span>
              {timer?.vanishMs && <TimerMark vanishMs={timer.vanishMs} onSet={onTimer} />}
            </p>
          </div>
        </>
      }
    >
      <ConversationOptions
        {...{ id, name, isMuted, isBlocked, onAddMedia }}
        onSearch={() => onPlace('search')}
        onMedia={() => onPlace('media')}
      />
    </ScreenHeader>
  )
}
