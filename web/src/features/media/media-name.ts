/** What a message with media is called where only a line is shown. */
export const mediaName = { image: 'Photo', video: 'Video', voice: 'Voice message' } as const
