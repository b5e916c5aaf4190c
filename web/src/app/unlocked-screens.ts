// One chunk with everything that is loaded after an unlock.
export { ChatScreen } from '../features/messaging/ChatScreen.tsx'
export { MessagingLayout } from '../features/messaging/MessagingLayout.tsx'
export { MessagingProvider } from '../features/messaging/MessagingProvider.tsx'
export { RequireMessaging } from '../features/messaging/RequireMessaging.tsx'
export { openAhead } from '../features/messaging/open-messaging.ts'
