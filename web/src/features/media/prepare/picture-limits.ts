/** A received picture may have this many pixels, and so may a chosen one without a check of the device's memory. */
export const maxPixels = 40_000_000
/** Limits a chosen picture, which is scaled before it is sent. */
export const maxChosenPixels = 200_000_000
/** Limits a still picture that is sent. */
export const maxSentPixels = 4096 * 4096
/** Every browser can draw a canvas with sides of up to this many pixels. */
export const maxSentSide = 32_767
/** A side of a WebP has at most this many pixels. */
export const maxWebpSide = 16_383
export const maxFrames = 500
/** Limits all frames of an animation together. */
export const maxAnimationPixels = 300_000_000
/** Limits the longer side of a film. */
export const maxSide = 4096
export const maxThumbSide = 320
export const maxThumbBytes = 64 * 1024
