// Reading beyond the end returns zeros or a shorter text, so that no file can make a reader throw.
const byte = (bytes: Uint8Array, at: number) => bytes[at] ?? 0

export const uint16 = (bytes: Uint8Array, at: number): number => (byte(bytes, at) << 8) | byte(bytes, at + 1)

export const uint32 = (bytes: Uint8Array, at: number): number =>
  uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2)

export const uint16le = (bytes: Uint8Array, at: number): number =>
  (byte(bytes, at + 1) << 8) | byte(bytes, at)

export const uint24le = (bytes: Uint8Array, at: number): number =>
  (byte(bytes, at + 2) << 16) | uint16le(bytes, at)

export const uint32le = (bytes: Uint8Array, at: number): number =>
  uint16le(bytes, at + 2) * 0x10000 + uint16le(bytes, at)

/** Returns one character per byte. */
export const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))
