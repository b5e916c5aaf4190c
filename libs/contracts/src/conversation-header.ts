/**
 * The id of the conversation in which a message is sent: two people who write at the same time then do not fight for its next
 * `seq` in two processes.
 */
export const conversationHeader = 'x-conversation-id'
