import { filmOf, packetsOf } from '../../../../test/film-fixtures.ts'
import { prepareVideo } from './prepare-video.ts'

const asked: string[] = []
beforeEach(() => (asked.length = 0))
const prepare = (film: Uint8Array<ArrayBuffer>, isAgreed = true) =>
  prepareVideo(
    new Blob([film]),
    (sentences) => {
      asked.push(...sentences)
      return Promise.resolve(isAgreed)
    },
    () => Promise.resolve({ thumb: new Blob(['still']), hash: 'hash' }),
  )
const bytesOf = async ({ file }: Awaited<ReturnType<typeof prepare>>) =>
  new Uint8Array(await file.slice(0, file.size).arrayBuffer())

const plain = filmOf('film-plain.mp4')
const refusals: [string, Uint8Array<ArrayBuffer>, string][] = [
  [
    'a page',
    Uint8Array.from(Buffer.from('<html>a page</html>')),
    'This file is not a video that can be sent. Choose an MP4, MOV or WebM file.',
  ],
  [
    'a film whose index is cut off',
    plain.slice(0, plain.length - 3000),
    'The end of this video is missing, so it cannot be read. Copy it again and choose that file.',
  ],
  [
    'sound without a picture',
    filmOf('film-only-sound.mp4'),
    'This file has no picture in it. Choose a video, or record the sound as a voice message.',
  ],
  [
    'a film in a coding of studios',
    filmOf('film-prores.mov'),
    'The picture of this video is coded in a way that cannot be sent. Save it as an MP4 with H.264 and choose that file.',
  ],
]

it.each(refusals)('%s is refused with a sentence of its own', async (_what, film, sentence) => {
  await expect(prepare(film)).rejects.toThrow(sentence)
  expect(asked).toEqual([])
})

it('a film that is protected, or joined from different parts, says so', async () => {
  const text = Buffer.from(plain).toString('latin1')
  const at = text.lastIndexOf('avc1')
  const locked = plain.slice()
  locked.set(Buffer.from('encv'), at)
  await expect(prepare(locked)).rejects.toThrow('This video is protected against copying')
})

it.each(['film-telephone-sound.mov', 'film-cinema-sound.mp4'])(
  'of %s the picture is sent after a question',
  async (name) => {
    const prepared = await prepare(filmOf(name))
    expect(asked).toEqual([
      'The sound of this video is coded in a way that cannot be sent. It would be sent without sound.',
    ])
    const bytes = await bytesOf(prepared)
    expect(await packetsOf(bytes, 'audio')).toEqual([])
    expect((await packetsOf(bytes)).length).toBeGreaterThan(20)
  },
)

it('a film of which nothing is hidden or lost is sent without a question', async () => {
  const { info } = await prepare(plain)
  expect(asked).toEqual([])
  expect(info.ms).toBeGreaterThan(5900)
})

it('without a still, the sender is told that this browser cannot show the picture', async () => {
  const without = prepareVideo(
    new Blob([plain]),
    (sentences) => Promise.resolve(void asked.push(...sentences) as unknown as boolean),
    () => Promise.resolve(null),
  )
  await expect(without).rejects.toThrow('This video was not sent.')
  expect(asked).toEqual([expect.stringContaining('This browser cannot show the picture of this video.')])
})
