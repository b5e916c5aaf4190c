import { textAt, uint16, uint16le, uint32, uint32le } from './byte-readers.ts'

const orientationTag = 0x0112

/** Reads the orientation, 1 to 8, from Exif data, which may begin with the mark `Exif`. Returns 1 if none is stated. */
export function exifOrientation(exif: Uint8Array): number {
  const tiff = textAt(exif, 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  const isLittle = textAt(tiff, 0, 2) === 'II'
  const [short, long] = isLittle ? [uint16le, uint32le] : [uint16, uint32]
  const directory = long(tiff, 4)
  for (let index = 0; index < short(tiff, directory); index += 1) {
    const entry = directory + 2 + index * 12
    if (entry >= tiff.length) break
    if (short(tiff, entry) !== orientationTag) continue
    const value = short(tiff, entry + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** Returns Exif data that contain only the camera's orientation. */
export const exifWith = (orientation: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.of(
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8],
    ...[0, 1, orientationTag >> 8, orientationTag & 255, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  )
