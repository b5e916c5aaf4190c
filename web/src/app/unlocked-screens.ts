// One chunk contains everything that is loaded after an unlock.
export { ChatScreen } from '../features/chat/ChatScreen.tsx'
export { MessagingLayout } from '../features/conversations/MessagingLayout.tsx'
export { MessagingProvider } from '../features/conversations/MessagingProvider.tsx'
export { RequireMessaging } from '../features/conversations/RequireMessaging.tsx'
export { prepareSession } from '../features/conversations/session-of.ts'
