import type { Bytes } from './bytes.ts'

const end = 0x80
const smallSizes = [64, 256, 512, 768, 1024]
const largeStep = 1024

const paddedSize = (length: number): number =>
  smallSizes.find((size) => length < size) ?? Math.ceil((length + 1) / largeStep) * largeStep

function pad(bytes: Bytes): Bytes {
  const padded = new Uint8Array(paddedSize(bytes.length))
  padded.set(bytes)
  padded[bytes.length] = end
  return padded
}

function unpad(bytes: Bytes): Bytes {
  const at = bytes.findLastIndex((byte) => byte !== 0)
  if (bytes[at] !== end) throw new TypeError('The padding is damaged.')
  return bytes.subarray(0, at)
}

/** Returns a body as JSON, padded so that its size reveals little. */
export const toPadded = (body: object): Bytes => pad(new TextEncoder().encode(JSON.stringify(body)))

/** Returns the parsed body, whose shape the caller must check. Throws when the padding or the JSON is damaged. */
export const fromPadded = (bytes: Bytes): unknown =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(unpad(bytes)))
