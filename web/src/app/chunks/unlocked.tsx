import { rarePart } from '../../features/device/rare-part.tsx'

// The unlocked screens load these parts later. Only dynamic imports lead from here to features, so every feature may
// import this table.

export const MissingConversation = rarePart(
  async () => (await import('../../features/conversations/MissingConversation.tsx')).MissingConversation,
)
export const EmptyList = rarePart(
  async () => (await import('../../features/conversations/EmptyList.tsx')).EmptyList,
)
export const MorePages = rarePart(
  async () => (await import('../../features/conversations/MorePages.tsx')).MorePages,
)
export const NothingOpen = rarePart(
  async () => (await import('../../features/conversations/NothingOpen.tsx')).NothingOpen,
)
export const WrongEntriesNotice = rarePart(
  async () => (await import('../../features/settings/WrongEntriesNotice.tsx')).WrongEntriesNotice,
)
export const ListedReset = rarePart(
  async () => (await import('../../features/settings/PendingResetNotice.tsx')).ListedReset,
)
export const loadNewConversation = () => import('../../features/conversations/list-parts.ts')
export const NewConversationDialog = rarePart(async () => (await loadNewConversation()).NewConversationDialog)
// The rows below keep their place while this field is loaded.
export const SearchField = rarePart(
  async () => (await loadNewConversation()).SearchField,
  <div className="h-18 shrink-0" />,
)

/** Loads the part that opens nicknames; undefined if the script cannot be loaded. */
export const loadNicknames = () => import('../../features/sealed/nicknames.ts').catch(() => undefined)

/** Loads the parts that are needed while the connection is lost; undefined if the script cannot be loaded. */
export const loadOfflineParts = () =>
  import('../../features/conversations/offline-parts.ts').catch(() => undefined)
// If this script cannot be loaded, the bar is left out. A reload of the page for it would disturb the person more.
export const ConnectionBar = rarePart<object>(
  async () => (await loadOfflineParts())?.ConnectionBar ?? (() => null),
)

const composer = () => import('../../features/chat/composer-chunk.ts')
export const DroppedFile = rarePart(async () => (await composer()).DroppedFile)
export const ComposerParts = rarePart(async () => (await composer()).ComposerParts)
export const UploadBubble = rarePart(async () => (await composer()).UploadBubble)
export const VoiceButton = rarePart(async () => (await composer()).VoiceButton)
export const LimitReached = rarePart(async () => (await composer()).LimitReached)
export const BlockedBar = rarePart(async () => (await composer()).BlockedBar)
export const RequestBar = rarePart(async () => (await composer()).RequestBar)
export const ChatBar = rarePart(async () => (await composer()).ChatBar)
export const EditComposer = rarePart(async () => (await composer()).EditComposer)
export const MessageActions = rarePart(async () => (await composer()).MessageActions)
export const MessageKeys = rarePart(async () => (await composer()).MessageKeys)
// The rows below keep their place while the reactions are loaded.
export const Reactions = rarePart(async () => (await composer()).Reactions, <div className="h-6" />)
export const OnceMessage = rarePart(async () => (await composer()).OnceMessage, <div className="h-11" />)
// The virtual list of messages leaves out rows without a height, so these rows have one while they are loaded.
export const PendingRow = rarePart(async () => (await composer()).PendingRow, <div className="h-11" />)
export const PlainNote = rarePart(async () => (await composer()).PlainNote, <div className="h-11" />)
export const EmptyChat = rarePart(async () => (await composer()).EmptyChat)
export const EndButton = rarePart(async () => (await composer()).EndButton)
export const QuotationButton = rarePart(
  async () => (await composer()).QuotationButton,
  <div className="mb-1 h-11" />,
)
export const ReplyBar = rarePart(async () => (await composer()).ReplyBar)
export const SeekingBar = rarePart(async () => (await composer()).SeekingBar)
export const Hourglass = rarePart(async () => (await composer()).Hourglass, <span className="w-3" />)
export const TimerMark = rarePart(async () => (await composer()).TimerMark)
export const TimerLine = rarePart(async () => (await composer()).TimerLine, <div className="h-8" />)
export const VanishedLine = rarePart(async () => (await composer()).VanishedLine, <div className="h-8" />)
export const ShownMessages = rarePart(async () => (await composer()).ShownMessages)

export const SecurityCode = rarePart(
  async () => (await import('../../features/chat/SecurityCodeDialog.tsx')).SecurityCodeDialog,
)
export const NewCode = rarePart(async () => (await import('../../features/chat/NewCodeBar.tsx')).NewCodeBar)
export const SendAgain = rarePart(async () => (await import('../../features/chat/SendAgain.tsx')).SendAgain)

// The messages below keep their place while the bar is loaded.
export const SearchBar = rarePart(
  async () => (await import('../../features/chat/search/SearchBar.tsx')).SearchBar,
  <div className="h-14 shrink-0" />,
)
export const ShownOverview = rarePart(
  async () => (await import('../../features/chat/ShownOverview.tsx')).ShownOverview,
)
export const MediaMessage = rarePart(
  async () => (await import('../../features/media/MediaMessage.tsx')).MediaMessage,
)
// The picture is covered at once, so that a second tap presses nothing.
export const ShownPicture = rarePart(
  async () => (await import('../../features/chat/ShownPicture.tsx')).ShownPicture,
  <div className="fixed inset-0 z-20 bg-black" />,
)
export const loadMediaPreview = () => import('../../features/media/preview/MediaPreview.tsx')
export const loadConfirmDialogs = () => import('../../features/conversation-options/confirm-dialogs.ts')
export const Block = rarePart(async () => (await loadConfirmDialogs()).BlockDialog)
export const Delete = rarePart(async () => (await loadConfirmDialogs()).DeleteDialog)
export const Timer = rarePart(async () => (await loadConfirmDialogs()).TimerDialog)
export const Options = rarePart(async () => (await loadConfirmDialogs()).OptionsSheet)
