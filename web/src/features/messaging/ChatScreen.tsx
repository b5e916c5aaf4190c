import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { useNavigate, useParams } from 'react-router-dom'
import { useSwipe } from '../../shared/lib/use-swipe.ts'
import { Button, IconButton } from '../../shared/ui/Button.tsx'
import { CenteredPage } from '../../shared/ui/Card.tsx'
import { BackIcon } from '../../shared/ui/icons.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { FullPageSpinner } from '../../shared/ui/Spinner.tsx'
import { Avatar } from './Avatar.tsx'
import { Composer } from './Composer.tsx'
import { useListConversationsQuery } from './messaging-api.ts'
import { useMessaging } from './messaging-context.ts'
import { MessageList } from './MessageList.tsx'
import { useConversation } from './use-conversation.ts'

export function ChatScreen() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const { data: conversations, isLoading, isFetching } = useListConversationsQuery()
  const conversation = conversations?.find((one) => one.id === id)

  if (isLoading || (!conversation && isFetching)) return <FullPageSpinner label="Loading..." />
  if (!conversation) {
    return (
      <CenteredPage>
        <div className="text-center">
          <ScreenTitle className="text-lg font-semibold">Conversation not found</ScreenTitle>
          <Button className="mt-4" onClick={() => void navigate('/messaging')}>
            Back to Messages
          </Button>
        </div>
      </CenteredPage>
    )
  }
  return <Chat key={id} conversation={conversation} />
}

function Chat({ conversation }: { conversation: Conversation }) {
  const navigate = useNavigate()
  const { drafts } = useMessaging()
  const { state, view } = useConversation(conversation.id)
  const swipe = useSwipe(() => void navigate('/'))
  const { otherUser, canSend, unlimited } = conversation

  return (
    <main
      className="mx-auto flex h-dvh max-w-2xl touch-pan-y touch-pinch-zoom flex-col md:border-x md:border-line"
      {...swipe}
    >
      <header className="flex items-center gap-3 border-b border-line px-2 py-2 pt-[max(0.5rem,env(safe-area-inset-top))]">
        <IconButton label="Back to Messages" onClick={() => void navigate('/messaging')}>
          <BackIcon />
        </IconButton>
        <Avatar name={otherUser.username || 'Unknown User'} />
        <div className="min-w-0">
          <ScreenTitle className="truncate leading-tight font-semibold">
            {otherUser.username || 'Unknown User'}
          </ScreenTitle>
          <p className="font-mono text-xs text-ink-2">{otherUser.userCode}</p>
        </div>
      </header>
      <div className="min-h-0 flex-1">
        <MessageList state={state} view={view} />
      </div>
      <Composer
        canSend={canSend}
        unlimited={unlimited}
        draft={drafts.get(conversation.id)}
        onDraft={(text) => drafts.set(conversation.id, text)}
        onSend={(content) => view?.send({ messageType: 'text', content })}
      />
    </main>
  )
}
