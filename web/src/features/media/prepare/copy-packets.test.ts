import { NotCopiedError } from './film-pieces.ts'
import { copied, filmOf, marksIn, packetsOf, withEdits } from '../../../../test/film-fixtures.ts'

const timesOf = async (film: Uint8Array<ArrayBuffer>, kind: 'video' | 'audio' = 'video') =>
  (await packetsOf(film, kind)).map(({ timestamp }) => timestamp).sort((one, other) => one - other)
const largestStep = (times: readonly number[]) =>
  Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
/** So many hidden pictures take no time. */
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
  // 15 pictures in each of 8 seconds are shown, and 60 before them are needed.
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

// Key frames at 0, 2 and 4 seconds, 15 pictures a second, and pictures that are shown before ones that are stored before them.
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
  // At most one picture behind the end, which pictures before it need.
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

it('a film of which nothing is shown is not copied', async () => {
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
