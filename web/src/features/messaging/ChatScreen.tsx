import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { useNavigate, useParams } from 'react-router-dom'
import { Button } from '../../shared/ui/Button.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { Avatar } from './Avatar.tsx'
import { ConnectionBar } from './ConnectionBar.tsx'
import { Composer } from './Composer.tsx'
import { useListConversationsQuery } from './messaging-api.ts'
import { useMessaging } from './messaging-context.ts'
import { MessageList } from './MessageList.tsx'
import { useConversation } from './use-conversation.ts'

export function ChatScreen() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const { data: conversations, isLoading, isFetching, isError } = useListConversationsQuery()
  const conversation = conversations?.find((one) => one.id === id)

  // After a failed fetch, too, it may exist: the list is fetched again until there is an answer.
  if (isLoading || (!conversation && (isFetching || isError))) {
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label="Loading..." />
      </div>
    )
  }
  if (!conversation) {
    return (
      <div className="flex h-full flex-col items-center justify-center p-4 text-center">
        <ScreenTitle className="text-xl font-semibold">Conversation not found</ScreenTitle>
        <Button className="mt-4" onClick={() => void navigate('/messaging')}>
          Back to Messages
        </Button>
      </div>
    )
  }
  return <Chat key={id} conversation={conversation} />
}

function Chat({ conversation }: { conversation: Conversation }) {
  const navigate = useNavigate()
  const { drafts } = useMessaging()
  const { state, view } = useConversation(conversation.id)
  const { otherUser, canSend, unlimited } = conversation
  const name = otherUser.username || 'Unknown User'

  return (
    <div className="flex h-full flex-col">
      <ScreenHeader
        back={{ label: 'Back to Messages', onBack: () => void navigate('/messaging') }}
        title={
          <>
            <Avatar name={name} size="size-10" />
            <div className="ml-2 min-w-0 flex-1">
              <ScreenTitle dir="auto" className="truncate text-row font-semibold">
                {name}
              </ScreenTitle>
              <p className="text-xs tracking-[0.06em] text-ink-2 tabular-nums">{otherUser.userCode}</p>
            </div>
          </>
        }
      />
      <ConnectionBar />
      <div className="mx-auto min-h-0 w-full max-w-190 flex-1">
        <MessageList state={state} view={view} />
      </div>
      <Composer
        canSend={canSend}
        unlimited={unlimited}
        draft={drafts.get(conversation.id)}
        onDraft={(text) => drafts.set(conversation.id, text)}
        onSend={(content) => view?.send({ messageType: 'text', content })}
      />
    </div>
  )
}
