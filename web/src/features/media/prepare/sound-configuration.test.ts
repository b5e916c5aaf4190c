import fc from 'fast-check'
import { isKnownSound } from './clean-packets.ts'
import { BrokenCodingError } from './coded-units.ts'
import { cleanAacConfiguration, cleanOpusHead } from './sound-configuration.ts'

it('sound that cannot stand in an MP4 is not accepted', () => {
  expect((['pcm-s16', 'pcm-f32be', 'pcm-u8', 'pcm-s8', 'ulaw'] as const).map(isKnownSound)).toEqual([
    ...[true, true],
    ...[false, false, false],
  ])
})

const bytes = (...values: number[]) => Uint8Array.from(values)
const mark = [...new TextEncoder().encode('MARK 52.52 N')]
const textOf = (data: Uint8Array) => new TextDecoder('latin1').decode(data)
/** Returns the bytes of bits that are written as zeros and ones. */
const bits = (text: string): number[] =>
  (text.replaceAll(' ', '').match(/.{1,8}/g) ?? []).map((each) => parseInt(each.padEnd(8, '0'), 2))

it.each([
  ['plain AAC', bits('00010 0100 0010 0 0 0')],
  ['AAC with its bands named behind', bits('00010 0110 0001 0 0 0 01010110111 00101 1 0011')],
  [
    'AAC with bands and stereo named behind',
    bits('00010 0110 0001 0 0 0 01010110111 00101 1 0011 10101001000 1'),
  ],
  ['AAC with its bands named before', bits('00101 0110 0010 0011 00010 0 0 0')],
])('the configuration of %s stays, and what follows it goes', (_what, configuration) => {
  expect([...cleanAacConfiguration(bytes(...configuration))]).toEqual(configuration)
  expect([...cleanAacConfiguration(bytes(...configuration, 0, 0, ...mark))]).toEqual(configuration)
})

it('the comment in a list of channels goes', () => {
  // The configuration has one front element and no other.
  const head = '00010 0100 0000 0 0 0 0000 01 0100 0001 0000 0000 00 000 0000 0 0 0 1 0000'
  const kept = bits(head)
  const clean = cleanAacConfiguration(bytes(...kept, mark.length, ...mark))
  expect([...clean]).toEqual([...kept, 0])
})

it('the head of Opus stays, and what follows it goes', () => {
  const head = [...new TextEncoder().encode('OpusHead'), 1, 2, 0, 1, 128, 187, 0, 0, 0, 0, 0]
  expect([...cleanOpusHead(bytes(...head, ...mark))]).toEqual(head)
  const table = [...head.slice(0, 18), 1, 1, 1, 0, 1]
  expect([...cleanOpusHead(bytes(...table, ...mark))]).toEqual(table)
  expect(() => cleanOpusHead(bytes(...mark, ...mark))).toThrow(BrokenCodingError)
})

it('any bytes at all are cleaned to no more than they were, or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (given) => {
      for (const clean of [cleanAacConfiguration, cleanOpusHead])
        try {
          expect(clean(given).length).toBeLessThanOrEqual(given.length + 1)
        } catch (error) {
          expect(error).toBeInstanceOf(BrokenCodingError)
        }
    }),
  )
  expect(textOf(cleanAacConfiguration(bytes(0x12, 0x10, ...mark)))).not.toContain('MARK')
})
