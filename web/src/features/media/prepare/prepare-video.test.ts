import { filmOf, packetsOf } from '../../../../test/film-fixtures.ts'
import { hiddenSentence } from './ask-sender.ts'
import { MediaRefusedError } from './media-refused-error.ts'
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

const at = (film: Uint8Array, type: string, from = 0) => Buffer.from(film).indexOf(type, from)
const index = at(plain, 'trak', Buffer.from(plain).lastIndexOf('moov'))
const coding = at(plain, 'avc1', index) - 4

it('a film that is protected against copying says so', async () => {
  const film = plain.slice()
  film.set(Buffer.from('encv'), coding + 4)
  await expect(prepare(film)).rejects.toThrow('This video is protected against copying')
})

it('a film that is joined from parts that are coded differently says so', async () => {
  const view = new DataView(plain.buffer)
  const size = view.getUint32(coding)
  const other = plain.slice(coding, coding + size)
  // The second part is wider.
  other[33] = 200
  const film = Uint8Array.from([...plain.subarray(0, coding), ...other, ...plain.subarray(coding)])
  const grown = new DataView(film.buffer)
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']) {
    const place = (type === 'moov' ? Buffer.from(film).lastIndexOf(type) : at(film, type, index)) - 4
    grown.setUint32(place, grown.getUint32(place) + size)
  }
  grown.setUint32(coding - 4, 2)
  await expect(prepare(film)).rejects.toThrow('This video is joined from parts that are coded differently.')
})

const media = at(plain, 'mdat') + 4
const firstPacketBytes = 1228

it('a film whose packets cannot be told apart is refused as damaged', async () => {
  const film = plain.slice()
  film.fill(0xff, media + firstPacketBytes, media + firstPacketBytes + 2)
  await expect(prepare(film)).rejects.toThrow('This video is damaged or cannot be read. Choose another one.')
})

it('a film that begins with pictures that are not whole is sent after a question', async () => {
  const film = plain.slice()
  // The first key frame is damaged.
  film.fill(0xff, media, media + 2)
  const { info } = await prepare(film)
  expect(asked).toEqual([
    'At its beginning this video has no whole picture (2 seconds). A still picture would be sent instead.',
  ])
  expect(info.ms).toBeGreaterThan(5900)
})

it.each(['film-telephone-sound.mov', 'film-cinema-sound.mp4', 'film-old-camera-sound.mov'])(
  'the picture of %s is sent after a question',
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

it.each(['film-end-missing.mp4', 'film-end-missing.webm'])(
  'the rest of %s is sent after a question',
  async (name) => {
    const { info } = await prepare(filmOf(name))
    expect(asked).toEqual(['The end of this video is missing. Only what is left of it would be sent.'])
    expect(info.ms).toBeGreaterThan(1000)
    expect(info.ms).toBeLessThan(3500)
  },
)

it('bytes that other programs append to a film do not count as a missing end', async () => {
  await prepare(Uint8Array.from([...plain, ...Buffer.from('\0\x10\0\0SEFT more')]))
  expect(asked).toEqual([])
})

it('of two sounds the one that can be sent is sent', async () => {
  const bytes = await bytesOf(await prepare(filmOf('film-two-sounds.mp4')))
  expect(asked).toEqual([])
  expect((await packetsOf(bytes, 'audio')).length).toBeGreaterThan(20)
})

it('a film with sounds that play together is sent after a question', async () => {
  const film = filmOf('film-two-sounds.mp4')
  const heads = [
    at(film, 'tkhd', at(film, 'tkhd') + 4),
    at(film, 'tkhd', Buffer.from(film).lastIndexOf('tkhd')),
  ]
  // Neither sound is an alternative to the other.
  for (const head of heads) film[head + 4 + 35] = 0
  await prepare(film)
  expect(asked).toEqual(['This video has several sounds that play together. Only one of them would be sent.'])
})

it('a film whose index claims more edits than it has is refused as damaged', async () => {
  const film = plain.slice()
  new DataView(film.buffer).setUint32(at(film, 'elst', index) + 8, 50)
  await expect(prepare(film)).rejects.toThrow('This video is damaged or cannot be read. Choose another one.')
})

it.each([
  [
    4,
    5,
    'One second that you cut out of this video is still in it (0:04–0:05 of the recording). It does not play, but the other person could get at it.',
  ],
  [
    2.1,
    4.96,
    '3 seconds that you cut out of this video are still in it (0:02–0:05 of the recording). They do not play, but the other person could get at them.',
  ],
  [
    4,
    4.3,
    'Less than a second that you cut out of this video is still in it (0:04–0:05 of the recording). It does not play, but the other person could get at it.',
  ],
  [
    2,
    3.04,
    'One second that you cut out of this video is still in it (0:02–0:03 of the recording). It does not play, but the other person could get at it.',
  ],
])('a part hidden from %d to %d is named in fitting seconds', (fromS, toS, sentence) => {
  expect(hiddenSentence([{ fromS, toS }])).toBe(sentence)
})

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

it('without a canvas that tells the truth, the sender is told why there is no preview', async () => {
  const sentences: string[] = []
  const ask = (asked: readonly string[]) => Promise.resolve(sentences.push(...asked) > 0)
  const still = () => Promise.reject(new MediaRefusedError('canvas_lies'))
  const { thumb } = await prepareVideo(new Blob([plain]), ask, still)
  expect(thumb).toBeNull()
  expect(sentences).toEqual([
    'This browser protects you by changing the pictures that a page prepares. This video would be sent without a preview.',
  ])
})
