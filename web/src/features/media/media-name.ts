/** Lists and screen readers name a message with media by these words. */
export const mediaName = { image: 'Photo', video: 'Video', voice: 'Voice message' } as const
