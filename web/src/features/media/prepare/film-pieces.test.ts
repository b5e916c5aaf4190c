import type { Edit } from './film-index.ts'
import { piecesOf } from './film-pieces.ts'

const edit = (fromS: number | null, lengthS: number, rate = 1): Edit => ({ fromS, lengthS, rate })

it('two edits that follow each other in the recording and on the screen are one piece', () => {
  expect(piecesOf({ edits: [edit(0, 2), edit(2, 2)] })?.pieces).toEqual([{ fromS: 0, toS: 4, atS: 0 }])
})

it('a pause between two edits keeps them apart', () => {
  expect(piecesOf({ edits: [edit(0, 2), edit(null, 1), edit(2, 2)] })?.pieces).toEqual([
    { fromS: 0, toS: 2, atS: 0 },
    { fromS: 2, toS: 4, atS: 3 },
  ])
})

it('the pieces have the time of the library, which is moved by the first edit and the pause before it', () => {
  expect(piecesOf({ edits: [edit(null, 1), edit(5, 2)] })).toEqual({
    pieces: [{ fromS: 1, toS: 3, atS: 1 }],
    offsetS: 4,
  })
})
