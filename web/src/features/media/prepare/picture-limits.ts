export const maxPixels = 40_000_000
export const maxFrames = 500
/** Of all frames of an animation together. */
export const maxAnimationPixels = 300_000_000
/** Of the longer side of a still picture. */
export const maxSide = 4096
export const maxThumbSide = 320
export const maxThumbBytes = 64 * 1024
