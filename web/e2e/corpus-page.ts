import { BufferSource as MemorySource, Input, MP4, WEBM } from 'mediabunny'
import { prepareMedia } from '../src/features/media/prepare/prepare-media.ts'
import type { PreparedMedia } from '../src/features/media/prepare/prepared-media.ts'
import { recognizeMedia } from '../src/features/media/prepare/recognize-media.ts'

// Runs in the page of any browser and prepares a chosen file as the product does before sealing.

export interface Outcome {
  /** The file that the receiver gets; empty if the file is refused. */
  arrives: string
  /**
   * The number of times that the word MARK stands in the received file. The source has it in every place that reveals
   * something.
   */
  marks: number
  /** The sentence for the person, who agrees to every question before a file is sent. */
  said: string
}

export async function tryFile(bytes: Uint8Array<ArrayBuffer>, name: string, type: string): Promise<Outcome> {
  let asked: readonly string[] = []
  const ask = (sentences: readonly string[]) => {
    asked = sentences
    return Promise.resolve(true)
  }
  try {
    const prepared = await prepareMedia(new File([bytes], name, { type }), ask)
    const file = new Uint8Array(await prepared.file.slice(0, prepared.file.size).arrayBuffer())
    const thumb = new Uint8Array((await prepared.thumb?.arrayBuffer()) ?? new ArrayBuffer())
    return {
      arrives: `${await described(prepared, file)}; ${await stillOf(prepared.thumb)}`,
      marks: marksIn(file) + marksIn(thumb),
      said: asked.join(' '),
    }
  } catch (error) {
    return { arrives: '', marks: 0, said: error instanceof Error ? error.message : String(error) }
  }
}

const marksIn = (bytes: Uint8Array): number =>
  new TextDecoder('latin1').decode(bytes).split('MARK').length - 1

async function described({ messageType, info }: PreparedMedia, file: Uint8Array<ArrayBuffer>) {
  const mime = recognizeMedia(file, messageType === 'voice' ? 'audio' : messageType)?.mime ?? 'unknown'
  const size = `${mime} ${info.w}×${info.h}`
  if (messageType === 'video')
    return `${size}, ${((info.ms ?? 0) / 1000).toFixed(1)} s, ${await codecsOf(file)}`
  return `${size}${info.moves ? ', moves' : ''}, ${await cornersOf(new Blob([file], { type: mime }))}`
}

async function stillOf(thumb: Blob | null): Promise<string> {
  if (!thumb) return 'no still'
  const bitmap = await createImageBitmap(thumb)
  return `still ${bitmap.width}×${bitmap.height}, ${await cornersOf(thumb)}`
}

async function codecsOf(film: Uint8Array<ArrayBuffer>): Promise<string> {
  const input = new Input({ source: new MemorySource(film), formats: [MP4, WEBM] })
  const codecs = await Promise.all((await input.getTracks()).map((track) => track.getCodec()))
  return codecs.join(' and ')
}

/** Names the colors of the corners, clockwise from the upper left one. They reveal how a picture is oriented. */
async function cornersOf(picture: Blob): Promise<string> {
  const bitmap = await createImageBitmap(picture)
  const { width, height } = bitmap
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const corner = (x: number, y: number) => {
    context?.clearRect(0, 0, 1, 1)
    context?.drawImage(bitmap, x, y, 1, 1, 0, 0, 1, 1)
    return colorOf([...(context?.getImageData(0, 0, 1, 1).data ?? [])])
  }
  const [right, bottom] = [width - 1, height - 1]
  return [corner(0, 0), corner(right, 0), corner(right, bottom), corner(0, bottom)].join(' ')
}

const colors = [
  ['red', 255, 0, 0],
  ['green', 0, 255, 0],
  ['blue', 0, 0, 255],
  ['cyan', 0, 255, 255],
  ['white', 255, 255, 255],
  ['black', 0, 0, 0],
  ['grey', 128, 128, 128],
] as const

/** Returns the nearest named color, because compression changes a value by little. */
function colorOf([red = 0, green = 0, blue = 0, alpha = 0]: number[]): string {
  if (alpha < 128) return 'clear'
  const distance = ([, r, g, b]: (typeof colors)[number]) =>
    Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue)
  const [nearest = colors[0]] = colors.toSorted((one, other) => distance(one) - distance(other))
  return nearest[0]
}
