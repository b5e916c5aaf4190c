import { drawUserCode } from './draw-user-code.ts'

const retiredCodes = (...codes: string[]) => ({
  retiredCodes: {
    has: (code: string) => Promise.resolve(codes.includes(code)),
    insert: () => Promise.resolve(),
  },
})
const drawing =
  (...codes: string[]) =>
  () =>
    codes.shift() as string

it('a retired user code is never given out again', async () => {
  expect(await drawUserCode(retiredCodes('A', 'B'), drawing('A', 'B', 'C'))).toBe('C')
})

it('five retired user codes in a row end the search with an error', async () => {
  await expect(drawUserCode(retiredCodes('A'), () => 'A')).rejects.toMatchObject({ kind: 'unavailable' })
})
