import { fireEvent, renderHook } from '../../../test/render.tsx'
import { useDroppedFile } from './use-dropped-file.ts'
import { dismissToast, toasts as toastStore } from '../../../test/page.ts'

const picture = (name: string) => new File(['png'], name, { type: 'image/png' })

it.each([
  [['a.png'], undefined],
  [['a.png', 'b.png', 'c.png'], 'Only a.png was taken. Send the others one by one.'],
])('of the dropped files %j the first is taken, with the toast %s', (names, sentence) => {
  const taken: string[] = []
  renderHook(() => useDroppedFile(({ name }) => taken.push(name)))
  fireEvent.drop(document, { dataTransfer: { files: names.map(picture) } })
  expect(taken).toEqual(['a.png'])
  expect(toastStore.get()?.description).toBe(sentence)
  dismissToast()
})
