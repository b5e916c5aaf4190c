import { fireEvent, render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { png } from '../../../test/picture-fixtures.ts'
import { storeOf } from '../../../test/store-of.ts'
import { PictureViewer } from './PictureViewer.tsx'

/** Shows a picture of this size on a phone of 400 by 800 pixels. */
async function show(width: number, height: number) {
  storeOf(() => png(4, 3))
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => undefined
  HTMLDialogElement.prototype.showModal = function open() {
    this.open = true
  }
  const source = { mediaUrl: '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3', media: undefined }
  render(<PictureViewer source={source} name="Photo" onClose={() => undefined} />)
  const picture = await screen.findByRole('img', { name: 'Photo' })
  const stage = screen.getByRole('group', { name: /^Photo, zoom/ })
  Object.defineProperties(stage, { clientWidth: { value: 400 }, clientHeight: { value: 800 } })
  Object.defineProperties(picture, { naturalWidth: { value: width }, naturalHeight: { value: height } })
  stage.scrollTo = () => undefined
  fireEvent.load(picture)
  return {
    size: () => `${picture.style.width} ${picture.style.height}`,
    swipe: () => stage.getAttribute('data-swipe'),
    tap: () => userEvent.click(picture),
    press: (key: string) => fireEvent.keyDown(stage, { key }),
  }
}

it('a long page opens at the width of the window, and a stroke to the side is not its own', async () => {
  const { size, swipe } = await show(1080, 15_200)
  expect(size()).toBe('100% auto')
  expect(swipe()).toBeNull()
})

it('a panorama opens at the height of the window, and strokes move it', async () => {
  const { size, swipe } = await show(10_575, 1586)
  expect(size()).toBe('auto 100%')
  expect(swipe()).toBe('own')
})

it('a tap on a long page zooms in, another one shows its whole, and the next one lets it be read again', async () => {
  const { size, swipe, tap } = await show(1080, 15_200)
  await tap()
  expect(size()).toBe('200% auto')
  expect(swipe()).toBe('own')
  await tap()
  expect(size()).toBe('100% 100%')
  await tap()
  expect(size()).toBe('100% auto')
})

it('minus shows the whole of a long page, and plus lets it be read', async () => {
  const { size, press } = await show(1080, 15_200)
  press('-')
  expect(size()).toBe('100% 100%')
  press('+')
  expect(size()).toBe('100% auto')
})

it.each([
  ['a photo', 4000, 3000],
  ['a picture of a film', 1920, 1080],
  ['a screen of a phone', 1080, 2340],
])('%s opens as a whole', async (_name, width, height) => {
  expect((await show(width, height)).size()).toBe('100% 100%')
})

it('another picture opens as a whole, which is its smallest size, and a tap zooms', async () => {
  const { size, swipe, tap, press } = await show(4000, 3000)
  expect(size()).toBe('100% 100%')
  press('-')
  expect(size()).toBe('100% 100%')
  await tap()
  expect(size()).toBe('200% 200%')
  expect(swipe()).toBe('own')
  await tap()
  expect(size()).toBe('100% 100%')
})
