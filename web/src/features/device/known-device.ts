import { deviceMarker } from './device-marker.ts'

/** Whether an account was signed in on this device and was not logged out since. */
export const isKnownDevice = (): boolean => deviceMarker() !== null

export const isDiscreetDevice = (): boolean => deviceMarker() === '2'
