import { NotCopiedError } from './film-pieces.ts'
import { openFileTracks } from './film-tracks.ts'
import { copied, filmOf, marksIn, packetsOf, withEdits } from '../../../../test/film-fixtures.ts'

const timesOf = async (film: Uint8Array<ArrayBuffer>, kind: 'video' | 'audio' = 'video') =>
  (await packetsOf(film, kind)).map(({ timestamp }) => timestamp).sort((one, other) => one - other)
const largestStep = (times: readonly number[]) =>
  Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
/** The hidden pictures together take less than this time. */
const noTime = 0.02

it.each([
  ['H.264', 'film-place-in-packets.mp4'],
  ['HEVC', 'film-hevc-place-in-packets.mp4'],
  ['AV1', 'film-av1-place-in-packets.mp4'],
])(
  'nothing that a camera has written into packets of %s is copied, and every packet is',
  async (_coding, name) => {
    const film = filmOf(name)
    expect(marksIn(film)).toBeGreaterThan(0)
    const { bytes, hidden } = await copied(film)
    expect(marksIn(bytes)).toBe(0)
    expect(hidden).toEqual([])
    const [before, after] = await Promise.all([packetsOf(film), packetsOf(bytes)])
    expect(after.map(({ isKey }) => isKey)).toEqual(before.map(({ isKey }) => isKey))
  },
)

it('of a film that was cut before its first key frame, all that was shown is copied without a hole', async () => {
  const film = filmOf('film-cut-without-coding.mp4')
  const { bytes, seconds, hidden } = await copied(film)
  expect(hidden).toEqual([{ fromS: 0, toS: 4 }])
  expect(seconds).toBeCloseTo(8, 1)
  const times = await timesOf(bytes)
  // The film shows 15 pictures in each of 8 seconds and needs 60 pictures before them.
  expect(times).toHaveLength(180)
  expect(times[60]).toBeLessThan(noTime)
  expect(largestStep(times)).toBeLessThan(0.08)
  const sounds = await timesOf(bytes, 'audio')
  expect(sounds[0]).toBeLessThan(0.05)
  expect(sounds.at(-1)).toBeCloseTo(8, 1)
})

it('what was cut out of the middle of a film is not copied', async () => {
  const { bytes, seconds, hidden } = await copied(filmOf('film-middle-cut-out.mp4'))
  expect(hidden).toEqual([])
  expect(seconds).toBeCloseTo(8, 1)
  const times = await timesOf(bytes)
  expect(times).toHaveLength(120)
  expect(largestStep(times)).toBeLessThan(0.08)
  expect(largestStep(await timesOf(bytes, 'audio'))).toBeLessThan(0.06)
})

// The film has key frames at 0, 2 and 4 seconds, 15 pictures a second, and pictures that are shown before pictures that
// are stored before them.
const plain = filmOf('film-plain.mp4')
const frameS = 1 / 15
/** The time that the file gives its first picture. */
const startS = 2 * frameS
const shownTimes = (times: readonly number[]) =>
  times.filter((time, index) => (times[index + 1] ?? Infinity) - time > 0.001)

it('a film that is shown whole is copied whole, in the same order', async () => {
  const { bytes, hidden } = await copied(plain)
  expect(hidden).toEqual([])
  const [before, after] = await Promise.all([packetsOf(plain), packetsOf(bytes)])
  expect(after).toHaveLength(90)
  for (const [index, { timestamp }] of after.entries())
    expect(timestamp).toBeCloseTo(before[index]?.timestamp ?? -1, 3)
})

it('the end of a film that was shortened is not copied', async () => {
  const { bytes, seconds, hidden } = await copied(withEdits(plain, [[startS, 45 * frameS]]))
  expect(hidden).toEqual([])
  expect(seconds).toBeCloseTo(6, 0)
  const times = await timesOf(bytes)
  expect(shownTimes(times)).toHaveLength(45)
  // At most one picture behind the end is needed by pictures before it.
  expect(times.length).toBeLessThanOrEqual(46)
  expect(times.at(-1)).toBeLessThan(3.01)
})

it('two cuts that do not stand at key frames name their seconds, and leave no hole', async () => {
  const cut = withEdits(plain, [
    [startS + frameS * 10, frameS * 5],
    [startS + frameS * 40, frameS * 20],
    [startS + frameS * 75, frameS * 15],
  ])
  const { bytes, hidden } = await copied(cut)
  expect(hidden.map(({ fromS }) => Math.round((fromS - startS) / frameS))).toEqual([0, 30, 60])
  expect(hidden.map(({ toS }) => Math.round((toS - startS) / frameS))).toEqual([10, 40, 75])
  const times = await timesOf(bytes)
  expect(largestStep(times)).toBeLessThan(frameS + 0.001)
  expect(times.at(-1)).toBeCloseTo(39 * frameS, 1)
})

it('a part that is shown twice is copied twice', async () => {
  const { bytes, hidden } = await copied(
    withEdits(plain, [
      [startS, 2],
      [startS, 2],
    ]),
  )
  expect(hidden).toEqual([])
  expect(shownTimes(await timesOf(bytes)).length).toBe(60)
})

it('pictures that begin later than the sound stand still from the beginning', async () => {
  const { bytes } = await copied(
    withEdits(plain, [
      [null, 3],
      [startS, 6],
    ]),
  )
  const times = await timesOf(bytes)
  expect(times).toHaveLength(90)
  expect(times[0]).toBe(0)
  expect(times[1]).toBeCloseTo(3 + frameS, 2)
  expect((await timesOf(bytes, 'audio'))[0]).toBeLessThan(0.05)
})

it.each<[string, Parameters<typeof withEdits>[1]]>([
  ['another speed', [[startS, 3, 2]]],
  ['a picture that stands still', [[startS, 3, 0]]],
  ['more cuts than a person makes', Array.from({ length: 300 }, () => [startS, 0.1])],
])('a film with %s is not copied as it is', async (_what, edits) => {
  await expect(copied(withEdits(plain, edits))).rejects.toThrow(NotCopiedError)
})

it('a film that shows nothing is not copied', async () => {
  await expect(copied(withEdits(plain, [[null, 3]]))).rejects.toThrow()
})

it('sound that begins late, or is silent for a while, leaves no hole', async () => {
  const { bytes } = await copied(
    withEdits(
      plain,
      [
        [null, 2],
        [0, 1],
        [null, 1],
        [1, 1],
      ],
      { kind: 'audio' },
    ),
  )
  const times = await timesOf(bytes, 'audio')
  expect(times[0]).toBe(0)
  expect(largestStep(times)).toBeLessThan(0.05)
  expect(times.at(-1)).toBeCloseTo(5, 1)
})

it('a picture that was taken upright stays so', async () => {
  const film = plain.slice()
  const matrix = Buffer.from(film).indexOf('tkhd', Buffer.from(film).lastIndexOf('moov')) + 44
  const view = new DataView(film.buffer)
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0].entries())
    view.setInt32(matrix + 4 * index, value)
  const { bytes } = await copied(film)
  const tracks = await openFileTracks(new Blob([bytes]))
  expect(await tracks?.video?.getRotation()).toBe(90)
})

it('an unneeded packet is left out', async () => {
  const film = plain.slice()
  const first = Buffer.from(film).indexOf('mdat') + 4
  const second = first + (await packetsOf(film))[0]!.size
  // All of it becomes one filler unit.
  const [, { size } = { size: 0 }] = await packetsOf(film)
  new DataView(film.buffer).setUint32(second, size - 4)
  film[second + 4] = 0x0c
  const [before, after] = await Promise.all([packetsOf(film), packetsOf((await copied(film)).bytes)])
  expect(after).toHaveLength(before.length - 1)
})

it.each([
  ['between key frames', 3, 2],
  ['at the beginning', 0, 0],
  ['behind the last key frame', 5.5, 4],
])(
  'a copy that begins %s begins with the key frame before, and with its sound',
  async (_where, fromS, keyS) => {
    const film = await copied(plain, { fromS })
    const [pictures, sounds] = await Promise.all([packetsOf(film.bytes), timesOf(film.bytes, 'audio')])
    expect(pictures[0]?.isKey).toBe(true)
    expect(Math.min(...pictures.map(({ timestamp }) => timestamp))).toBeCloseTo(keyS, 1)
    expect(sounds[0]).toBeCloseTo(keyS, 1)
  },
)

it('a copy that begins in the second of two pieces leaves out the first one', async () => {
  const film = withEdits(plain, [
    [0, 2],
    [4, 2],
  ])
  const times = await timesOf((await copied(film, { fromS: 3 })).bytes)
  expect(times[0]).toBeCloseTo(2 + startS, 2)
  expect(times.length).toBeLessThan(35)
})

it('the packets of a cut sound whose middle is heard are copied', async () => {
  const film = withEdits(plain, [[1.015, 2]], { kind: 'audio' })
  const all = await timesOf(plain, 'audio')
  const heard = all.filter((time) => time + 512 / 44_100 >= 1.015 && time + 512 / 44_100 < 3.015)
  expect(Math.abs((await timesOf((await copied(film)).bytes, 'audio')).length - heard.length)).toBeLessThan(1)
})

it('a copy ends with its signal', async () => {
  await expect(copied(plain, { signal: AbortSignal.abort(new Error('The person left.')) })).rejects.toThrow(
    'left',
  )
})

it('wherever a film ends, all pictures before its end are copied', async () => {
  for (let count = 4; count <= 24; count += 1) {
    const { bytes } = await copied(withEdits(plain, [[0, startS + count * frameS]]))
    const times = await timesOf(bytes)
    expect(times.filter((time) => time < startS + (count - 0.5) * frameS)).toHaveLength(count)
  }
})

it('a piece that ends before the first picture has none', async () => {
  const { bytes } = await copied(
    withEdits(plain, [
      [0, 0.1],
      [startS + 2, 2],
    ]),
  )
  expect(shownTimes(await timesOf(bytes))).toHaveLength(30)
})

it('hidden pictures stand in the order in which they were shown', async () => {
  const { bytes } = await copied(withEdits(plain, [[startS + 3, 1]]))
  const first = (await packetsOf(plain)).findIndex(({ isKey, timestamp }) => isKey && timestamp > 1)
  const [before, after] = [
    (await packetsOf(plain)).slice(first, first + 15),
    (await packetsOf(bytes)).slice(0, 15),
  ]
  const ranks = (packets: typeof before) =>
    packets.map(({ timestamp }) => packets.filter((other) => other.timestamp < timestamp).length)
  expect(ranks(after)).toEqual(ranks(before))
})
