import { BufferSource as MemorySource, Input, MP4, WEBM } from 'mediabunny'
import { prepareMedia } from '../src/features/media/prepare/prepare-media.ts'
import type { PreparedMedia } from '../src/features/media/prepare/prepared-media.ts'
import { recognizeMedia } from '../src/features/media/prepare/recognize-media.ts'

// Runs in the page of any browser: what becomes of a chosen file before it is sealed.

export interface Outcome {
  /** What the receiver gets; empty when the file is refused. */
  arrives: string
  /** How often the word MARK stands in what arrives, which it does in each place of the file that tells something. */
  marks: number
  /** The sentence for the person, who agrees to what is asked before a file is sent. */
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

/** The colors of the corners in words, from the upper left one clockwise: they tell how a picture stands. */
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

/** The nearest color that has a name; compression changes a value by little. */
function colorOf([red = 0, green = 0, blue = 0, alpha = 0]: number[]): string {
  if (alpha < 128) return 'clear'
  const distance = ([, r, g, b]: (typeof colors)[number]) =>
    Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue)
  const [nearest = colors[0]] = colors.toSorted((one, other) => distance(one) - distance(other))
  return nearest[0]
}
