import { deviceMarker } from './device-marker.ts'

/** Returns whether an account has signed in on this device and has not logged out since. */
export const isKnownDevice = (): boolean => deviceMarker() !== null

export const isDiscreetDevice = (): boolean => deviceMarker() === '2'
