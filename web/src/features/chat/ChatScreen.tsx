import { useRef, useState, useSyncExternalStore } from 'react'
import { useParams } from 'react-router-dom'
import { BottomBar } from '../../shared/ui/BottomBar.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import type { ChosenFiles } from '../media/choose-files.ts'
import type { PickerState } from './ComposerParts.tsx'
import { ChatHeader } from './ChatHeader.tsx'
import type { Place } from './ChatHeader.tsx'
import { Composer } from './Composer.tsx'
import {
  BlockedBar,
  ChatBar,
  ComposerParts,
  ConnectionBar,
  DroppedFile,
  EditComposer,
  MissingConversation,
  NewCode,
  ReplyBar,
  RequestBar,
  SearchBar,
  ShownOverview,
  ShownPicture,
  Timer,
  VoiceButton,
} from '../../app/chunks/unlocked.tsx'
import { listOf, useListConversationsQuery } from '../conversations/messaging-api.ts'
import { useSession } from '../../page.ts'
import { MessageList } from './MessageList.tsx'
import type { GoTo } from './reply/use-go-to-message.ts'
import { MarksContext } from './search/marks.ts'
import type { Marks } from './search/marks.ts'
import { useSearchKey } from './search/use-search-key.ts'
import type { OwnMessage } from './use-own-message.ts'
import { useTrust } from '../delivery/use-sealed.ts'
import { useSend } from './use-conversation.ts'
import { fileVanishMs } from '../conversations/with-timer.ts'
import { usePage } from '../../page.ts'

export function ChatScreen() {
  const { id = '' } = useParams()
  const { isLoading, isError, conversation } = useListed(id)

  // The conversation may exist even after a failed fetch, because the list is fetched again until there is an answer.
  if (!conversation && (isLoading || isError)) {
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label="Loading..." />
      </div>
    )
  }
  if (!conversation) return <MissingConversation key={id} id={id} />
  return <Chat key={id} conversation={conversation} />
}

/**
 * Selects the fields of the row that a chat needs. Other fields change with every message and would render the chat
 * again.
 */
function useListed(id: string) {
  const chosen = useListConversationsQuery(undefined, {
    selectFromResult: ({ data, isUninitialized, isFetching, isError }) => {
      const found = data?.rows.find((one) => one.id === id)
      const { canSend = false, unlimited = false, timer } = found ?? {}
      const { isMuted = false, isBlocked = false, isRequest = false } = found ?? {}
      const { username, userCode, isGone = false } = found?.otherUser ?? {}
      const state = { isGone, isMuted, isBlocked, isRequest }
      const isLoading = isUninitialized || isFetching
      return { isLoading, isError, username, userCode, canSend, unlimited, timer, ...state }
    },
  })
  const { isLoading, isError, username, userCode, ...rest } = chosen
  const conversation = userCode === undefined ? null : { id, username, userCode, ...rest }
  return { isLoading, isError, conversation }
}

type Listed = NonNullable<ReturnType<typeof useListed>['conversation']>

function Chat({ conversation }: { conversation: Listed }) {
  const { toast } = usePage().toasts
  const { id, username, isBlocked, timer } = conversation
  const [picker, setPicker] = useState<PickerState>()
  const [edited, setEdited] = useState<OwnMessage>()
  const [place, setPlace] = useState<Place>(null)
  const [marks, setMarks] = useState<Marks | null>(null)
  const [setsTimer, setSetsTimer] = useState(false)
  const onTimer = conversation.isGone || conversation.isRequest ? undefined : () => setSetsTimer(true)
  const lead = useRef<GoTo>(null)
  useSearchKey(() => setPlace('search'))
  const name = username || 'Unknown User'
  const { media, drafts, text } = useSession()
  const { viewed } = media
  const viewedId = useSyncExternalStore(viewed.subscribe, viewed.get)

  return (
    <div className="flex h-full flex-col">
      {place === 'search' ? (
        <SearchBar {...{ id, name, lead }} onMarks={setMarks} onClose={() => setPlace(null)} />
      ) : (
        <ChatHeader
          {...conversation}
          {...{ name, onTimer }}
          onAddMedia={canWrite(conversation) ? () => setPicker({ isInline: true }) : undefined}
          onPlace={setPlace}
        />
      )}
      <ConnectionBar />
      <div className="mx-auto min-h-0 w-full max-w-190 flex-1">
        <MarksContext value={marks}>
          <MessageList
            {...{ conversationId: id, name, lead, timer, onTimer }}
            isWithheld={isBlocked || conversation.isGone}
            onEdit={hasComposer(conversation) ? setEdited : undefined}
            // Only a sealed message can name another one.
            onReply={
              canWrite(conversation) && text.partnerEpoch(id) > 0
                ? (re) => {
                    setEdited(undefined)
                    drafts.setReply(id, re)
                  }
                : undefined
            }
          />
        </MarksContext>
      </div>
      <DroppedFile
        onFile={(file) => {
          if (canWrite(conversation)) setPicker({ file })
          else toast({ title: 'File not taken', description: 'You cannot send anything here now.' })
        }}
      />
      {place === 'media' && <ShownOverview {...{ id, name }} onClose={() => setPlace(null)} />}
      {setsTimer && <Timer {...{ id, name, timer }} onClose={() => setSetsTimer(false)} />}
      {viewedId && <ShownPicture {...{ id, name, viewedId }} />}
      <BottomBar className={place === 'search' ? givesWay : ''}>
        <Bottom
          {...{ conversation, name, picker, setPicker, edited }}
          onEdited={() => setEdited(undefined)}
        />
      </BottomBar>
    </div>
  )
}

/** On a phone the search takes the room of the composer, unless a dialog or a recording is open in it. */
const givesWay = '[@media_(width<48rem)_or_(height<32rem)]:not-has-[dialog,[role=group]]:hidden'

const hasComposer = ({ isGone, isBlocked, isRequest }: Listed) => !isGone && !isBlocked && !isRequest
const canWrite = (conversation: Listed) => conversation.canSend && hasComposer(conversation)

interface BottomProps {
  conversation: Listed
  name: string
  picker: PickerState | undefined
  setPicker: (picker: PickerState | undefined) => void
  /** This message is being edited. */
  edited: OwnMessage | undefined
  onEdited: () => void
}

/** Shows the composer, or the reason why nothing can be written. */
function Bottom({ conversation, name, picker, setPicker, edited, onEdited }: BottomProps) {
  const { id, isGone, isBlocked, isRequest, canSend, unlimited } = conversation
  const { drafts, text, media } = useSession()
  const { store } = usePage()
  const [chosen, setChosen] = useState<ChosenFiles>()
  const send = useSend(id)
  // A text that was put into the draft is shown by a new composer.
  const puts = useSyncExternalStore(drafts.subscribe, drafts.puts)
  const re = useSyncExternalStore(drafts.subscribe, () => drafts.replyTo(id))
  const trust = useTrust(id)
  const takeReply = () => drafts.takeReply(id)
  // A recorder or a widget keeps this function, and the timer may change later.
  const vanishMs = () => fileVanishMs(listOf(store.getState())?.find((one) => one.id === id))
  const options = { conversationId: id, willSeal: text.willSeal, send, media, takeReply, vanishMs }
  const write = (content: string) => {
    // A person who writes below the notice about the partner's new security code accepts this code. Sending waits until
    // the acceptance is stored; if that fails, the message's bubble offers "Send with the new code".
    if (trust.state === 'changed') text.accept(id, { print: trust.print }).catch(() => undefined)
    void send({ messageType: 'text', content, re: takeReply() }, { endsDraft: true })
  }
  if (isGone) return <ChatBar text="This person is no longer here. You can still read your messages." />
  if (isBlocked) return <BlockedBar id={id} name={name} />
  if (isRequest) return <RequestBar id={id} name={name} />
  if (trust.state === 'changed' && trust.wasVerified)
    return <NewCode id={id} name={name} print={trust.print} />
  return (
    <>
      <ComposerParts
        {...{ name, options, chosen, picker }}
        isMultiple={unlimited}
        onChosen={setChosen}
        onPickerClosed={() => setPicker(undefined)}
      />
      {edited ? (
        <EditComposer key={edited.name.id} own={edited} onEnd={onEdited} />
      ) : (
        <Composer
          key={puts}
          canSend={canSend}
          unlimited={unlimited}
          draft={drafts.get(id)}
          onDraft={(draft) => drafts.set(id, draft)}
          onSend={write}
          onFiles={setChosen}
          reply={
            re && {
              id: re.id,
              bar: <ReplyBar {...{ id, name, re }} onEnd={takeReply} />,
              onEnd: takeReply,
            }
          }
          voice={(onRecording) => canSend && <VoiceButton {...{ options, onRecording }} />}
        />
      )}
    </>
  )
}
