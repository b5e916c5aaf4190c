import { silenceIn } from './silent-packet.ts'

const silence = (codec: string, numberOfChannels: number, sampleRate = 48_000) =>
  silenceIn({ codec, numberOfChannels, sampleRate })

it('a silent packet lasts as long as one of its coding', () => {
  expect(silence('mp4a.40.2', 2, 44_100)?.seconds).toBeCloseTo(1024 / 44_100, 9)
  expect(silence('mp4a.40.2', 1, 8000)?.seconds).toBe(0.128)
  expect(silence('opus', 2)?.seconds).toBe(0.02)
})

it('a silent packet has the channels of its track', () => {
  expect([...(silence('mp4a.40.2', 1)?.data ?? [])]).toEqual([0, 0xc8, 0, 0x80, 0x23, 0x80])
  expect([...(silence('mp4a.40.2', 2)?.data ?? [])]).toEqual([0x21, 0, 0x49, 0x90, 2, 0x19, 0, 0x23, 0x80])
  expect([...(silence('opus', 1)?.data ?? [])]).toEqual([0xf8, 0xff, 0xfe])
  expect([...(silence('opus', 2)?.data ?? [])]).toEqual([0xfc, 0xff, 0xfe])
})

it.each([
  ['mp4a.40.5', 2],
  ['mp4a.40.2', 6],
  ['opus', 6],
  ['mp3', 2],
])('no silence is made up for %s of %d channels', (codec, channels) => {
  expect(silence(codec, channels)).toBeNull()
})
