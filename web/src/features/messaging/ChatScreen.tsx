import { useNavigate, useParams } from 'react-router-dom'
import { Button } from '../../shared/ui/Button.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { BlockedBar, ChatBar, RequestBar } from '../conversation-options/ChatBar.tsx'
import { ConversationOptions } from '../conversation-options/ConversationOptions.tsx'
import { Avatar } from './Avatar.tsx'
import { ConnectionBar } from './ConnectionBar.tsx'
import { Composer } from './Composer.tsx'
import { useListConversationsQuery } from './messaging-api.ts'
import { useMessaging } from './messaging-context.ts'
import { MessageList } from './MessageList.tsx'
import { useSend } from './use-conversation.ts'

export function ChatScreen() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const { isLoading, isFetching, isError, conversation } = useListed(id)

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

/** What a chat needs of the list. Its row changes with every message, and this does not. */
function useListed(id: string) {
  const chosen = useListConversationsQuery(undefined, {
    selectFromResult: ({ data, isLoading, isFetching, isError }) => {
      const found = data?.find((one) => one.id === id)
      const { canSend = false, unlimited = false } = found ?? {}
      const { isMuted = false, isBlocked = false, isRequest = false } = found ?? {}
      const { username, userCode, isGone = false } = found?.otherUser ?? {}
      const state = { isGone, isMuted, isBlocked, isRequest }
      return { isLoading, isFetching, isError, username, userCode, canSend, unlimited, ...state }
    },
  })
  const { isLoading, isFetching, isError, username, userCode, ...rest } = chosen
  const conversation = userCode === undefined ? null : { id, username, userCode, ...rest }
  return { isLoading, isFetching, isError, conversation }
}

type Listed = NonNullable<ReturnType<typeof useListed>['conversation']>

function Chat({ conversation }: { conversation: Listed }) {
  const { id, username, userCode, isMuted, isBlocked } = conversation
  const navigate = useNavigate()
  const name = username || 'Unknown User'

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
              <p className="text-xs tracking-[0.06em] text-ink-2 tabular-nums">{userCode}</p>
            </div>
          </>
        }
      >
        <ConversationOptions {...{ id, name, isMuted, isBlocked }} />
      </ScreenHeader>
      <ConnectionBar />
      <div className="mx-auto min-h-0 w-full max-w-190 flex-1">
        <MessageList conversationId={id} />
      </div>
      <Bottom conversation={conversation} name={name} />
    </div>
  )
}

/** The composer, or the reason why nothing can be written. */
function Bottom({ conversation, name }: { conversation: Listed; name: string }) {
  const { id, isGone, isBlocked, isRequest, canSend, unlimited } = conversation
  const { drafts } = useMessaging()
  const send = useSend(id)
  if (isGone) return <ChatBar text="This person is no longer here. You can still read your messages." />
  if (isBlocked) return <BlockedBar id={id} name={name} />
  if (isRequest) return <RequestBar id={id} name={name} />
  return (
    <Composer
      canSend={canSend}
      unlimited={unlimited}
      draft={drafts.get(id)}
      onDraft={(text) => drafts.set(id, text)}
      onSend={(content) => send({ messageType: 'text', content })}
    />
  )
}
