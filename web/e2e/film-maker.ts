import {
  AudioBufferSource,
  BufferTarget,
  CanvasSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  MovOutputFormat,
  Mp4OutputFormat,
  BufferSource as MemorySource,
  Output,
  TextSubtitleSource,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { prepareVideo } from '../src/features/media/prepare/prepare-video.ts'
import { takePoster } from '../src/features/media/prepare/take-poster.ts'

// Runs in the page: codes films in the browser and prepares them.

export interface FilmOptions {
  container: 'mp4' | 'mov' | 'webm'
  seconds?: number
  rotation?: 0 | 90
  /** A text that is hidden in every place which reveals something about the film. */
  mark?: string
  /** The number of copies of all pictures, one after the other; the sound stays unchanged. */
  repeat?: number
  width?: number
  height?: number
  /** Noise fills the given bit rate. */
  bitsPerSecond?: number
}

const framesPerSecond = 25
const formats = { mp4: Mp4OutputFormat, mov: MovOutputFormat, webm: WebMOutputFormat }

/** Makes a film of grey that grows lighter, with a tone. The index of an MP4 stands at its end. */
export async function makeFilm(options: FilmOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { container, seconds = 2, rotation = 0, mark, width = 64, height = 48, bitsPerSecond } = options
  const Format = formats[container]
  const target = new BufferTarget()
  const output = new Output({
    format: container === 'webm' ? new WebMOutputFormat() : new Format({ fastStart: false }),
    target,
  })
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  const picture = new CanvasSource(canvas, {
    codec: 'vp9',
    bitrate: bitsPerSecond ?? 100_000,
    keyFrameInterval: 1,
  })
  const sound = new AudioBufferSource({ codec: 'opus', bitrate: 32_000 })
  output.addVideoTrack(picture, container === 'webm' ? {} : { rotation })
  output.addAudioTrack(sound)
  const subtitles = mark === undefined || container === 'mov' ? null : new TextSubtitleSource('webvtt')
  if (mark !== undefined) {
    output.setMetadataTags({
      ...{ title: `${mark} title`, comment: `${mark} comment`, date: new Date('2001-02-03') },
      raw: container === 'webm' ? { LOCATION: `${mark} place` } : { '©xyz': `${mark} place` },
    })
    if (subtitles) output.addSubtitleTrack(subtitles)
  }
  await output.start()
  await subtitles?.add(`WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n${mark} 52.52 N 13.40 E\n`)
  const rate = 48_000
  const tone = new AudioBuffer({ length: seconds * rate, numberOfChannels: 1, sampleRate: rate })
  tone.getChannelData(0).forEach((_zero, at, samples) => {
    samples[at] = 0.3 * Math.sin((2 * Math.PI * 440 * at) / rate)
  })
  await sound.add(tone)
  const frames = seconds * framesPerSecond
  for (let frame = 0; frame < frames; frame += 1) {
    const grey = Math.round(60 + (150 * frame) / frames)
    context.fillStyle = `rgb(${grey} ${grey} ${grey})`
    context.fillRect(0, 0, width, height)
    if (bitsPerSecond) fillWithNoise(context, width, height)
    await picture.add(frame / framesPerSecond, 1 / framesPerSecond)
  }
  await output.finalize()
  const film = new Uint8Array(target.buffer as ArrayBuffer)
  return options.repeat ? repeated(film, container, options.repeat, seconds) : film
}

function fillWithNoise(context: OffscreenCanvasRenderingContext2D, width: number, height: number): void {
  const pixels = context.createImageData(width, height)
  for (let at = 0; at < pixels.data.length; at += 65_536)
    crypto.getRandomValues(pixels.data.subarray(at, at + 65_536))
  context.putImageData(pixels, 0, 0)
}

async function repeated(
  film: Uint8Array,
  container: FilmOptions['container'],
  times: number,
  seconds: number,
) {
  const input = new Input({ source: new MemorySource(film), formats: [MP4, WEBM] })
  const track = await input.getPrimaryVideoTrack()
  const codec = await track?.getCodec()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !codec || !decoderConfig) throw new Error('There are no pictures to repeat.')
  const target = new BufferTarget()
  const format = container === 'webm' ? new WebMOutputFormat() : new formats[container]({ fastStart: false })
  const output = new Output({ format, target })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source)
  await output.start()
  for (let time = 0; time < times; time += 1)
    for await (const packet of new EncodedPacketSink(track).packets())
      await source.add(packet.clone({ timestamp: packet.timestamp + time * seconds }), { decoderConfig })
  await output.finalize()
  return new Uint8Array(target.buffer as ArrayBuffer)
}

/** Prepares a film whose sender agrees to everything; returns the result and the questions. */
export async function prepareFilm(film: Uint8Array<ArrayBuffer>, type: string) {
  const asked: string[] = []
  const ask = (sentences: readonly string[]) => {
    asked.push(...sentences)
    return Promise.resolve(true)
  }
  try {
    const { file, thumb, info } = await prepareVideo(new Blob([film], { type }), ask)
    const bytes = new Uint8Array(await file.slice(0, file.size).arrayBuffer())
    return { bytes, thumbSize: thumb?.size ?? 0, info, refusal: '', asked }
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error), asked }
  }
}

/** Returns the greys, 0 to 255, of stills that are taken from a film one after the other; -1 for a missing one. */
export async function greysOfStills(film: Uint8Array<ArrayBuffer>, type: string, count: number) {
  const greys: number[] = []
  while (greys.length < count) {
    const poster = await takePoster(new Blob([film], { type }))
    greys.push(poster ? await greyOf(poster.thumb) : -1)
  }
  return greys
}

async function greyOf(picture: Blob): Promise<number> {
  const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(await createImageBitmap(picture), 0, 0, 1, 1)
  return context.getImageData(0, 0, 1, 1).data[0] ?? -1
}
