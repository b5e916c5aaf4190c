/** Names a message with media in lists, where it takes only a line. */
export const mediaName = { image: 'Photo', video: 'Video', voice: 'Voice message' } as const
