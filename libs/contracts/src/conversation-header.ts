/**
 * The client sends the conversation's id in this header with each message. The gateway then prefers one replica for
 * both members, so that two replicas do not compete for the next `seq`.
 */
export const conversationHeader = 'x-conversation-id'
