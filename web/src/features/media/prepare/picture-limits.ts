/** Limits a received picture, and one that is decoded without a check of the device's memory. */
export const maxPixels = 40_000_000
/** Limits a chosen picture, which is scaled before it is sent. */
export const maxChosenPixels = 200_000_000
/** Limits a still picture that is sent. */
export const maxSentPixels = 4096 * 4096
/** The longest canvas of every browser. */
export const maxSentSide = 32_767
/** The longest WebP. */
export const maxWebpSide = 16_383
export const maxFrames = 500
/** Limits all frames of an animation together. */
export const maxAnimationPixels = 300_000_000
/** Limits the longer side of a film. */
export const maxSide = 4096
export const maxThumbSide = 320
export const maxThumbBytes = 64 * 1024
