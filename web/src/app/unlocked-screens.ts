// One chunk with all that is loaded once a session is unlocked.
export { ChatScreen } from '../features/messaging/ChatScreen.tsx'
export { ConversationListScreen } from '../features/messaging/ConversationListScreen.tsx'
export { MessagingProvider } from '../features/messaging/MessagingProvider.tsx'
export { RequireMessaging } from '../features/messaging/RequireMessaging.tsx'
