import userEvent from '@testing-library/user-event'
import { act, fireEvent, render, screen, waitFor } from '../../../../test/render.tsx'
import { png } from '../../../../test/picture-fixtures.ts'
import { storeOf } from '../../../../test/store-of.ts'
import { PictureViewer } from './PictureViewer.tsx'

const window400 = { clientWidth: 400, innerHeight: 800 }
let naturalSize = { width: 4000, height: 3000 }
let closed: number

beforeAll(() => {
  Object.defineProperty(document.documentElement, 'clientWidth', { value: window400.clientWidth })
  Object.defineProperty(window, 'innerHeight', { value: window400.innerHeight })
  const sizes = { naturalWidth: () => naturalSize.width, naturalHeight: () => naturalSize.height }
  for (const [name, get] of Object.entries(sizes))
    Object.defineProperty(HTMLImageElement.prototype, name, { configurable: true, get })
})

beforeEach(() => {
  closed = 0
  naturalSize = { width: 4000, height: 3000 }
  storeOf(() => png(4, 3))
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => undefined
  HTMLImageElement.prototype.decode = () => Promise.resolve()
})

const pictures = ['The cat', '', 'The dog'].map((caption, index) => ({
  id: `m${index}`,
  mediaUrl: `/api/objects/${index}`,
  media: undefined,
  caption,
  sender: index === 1 ? 'You' : 'ben',
  sentAtMs: Date.UTC(2020, 1, 3, 12),
}))

/** Shows the pictures on a phone of 400 by 800 pixels. */
async function show(startAt = 0, shown = pictures) {
  const viewed = render(<PictureViewer pictures={shown} startAt={startAt} onClose={() => (closed += 1)} />)
  await screen.findByRole('img')
  const image = () => screen.getByRole('img')
  return {
    ...viewed,
    image,
    stage: () => image().closest('.pswp') as HTMLElement,
    /** PhotoSwipe scales and moves the element around the picture. */
    place: () => image().parentElement?.style.transform ?? '',
    press: (key: string) => fireEvent.keyDown(screen.getByRole('group', { name: /^Photo, zoom/ }), { key }),
  }
}

it('names a picture by its caption and shows sender and time; keys and buttons lead to the others', async () => {
  const { image, press } = await show()
  expect(image().getAttribute('alt')).toBe('The cat')
  expect(screen.getByText('ben')).toBeTruthy()
  expect(screen.getByText(/^3 Feb 2020, \d\d:\d\d/)).toBeTruthy()
  press('ArrowRight')
  await waitFor(() => expect(image().getAttribute('alt')).toBe('Photo'))
  expect(screen.getByText('You')).toBeTruthy()
  expect(screen.getByText('Photo 2 of 3')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Next photo' }))
  await waitFor(() => expect(image().getAttribute('alt')).toBe('The dog'))
  press('ArrowRight')
  press('ArrowLeft')
  await waitFor(() => expect(image().getAttribute('alt')).toBe('Photo'))
})

it('shows no buttons to other pictures where there is only one', async () => {
  await show(0, pictures.slice(0, 1))
  expect(screen.queryByRole('button', { name: /photo$/ })).toEqual(
    screen.getByRole('button', { name: 'Save photo' }),
  )
})

it('takes strokes for itself only while the picture is zoomed', async () => {
  const { stage, press } = await show()
  expect(stage().getAttribute('data-swipe')).toBeNull()
  press('+')
  expect(stage().getAttribute('data-swipe')).toBe('own')
  press('-')
  expect(stage().getAttribute('data-swipe')).toBeNull()
})

it.each([
  ['a long page at the width of the window', 1080, 15_200, 400],
  ['a panorama as a whole, so that a stroke to the side flees', 10_575, 1586, 400],
  ['a small picture as large as the window allows', 40, 30, 400],
  ['a high picture as a whole', 3000, 6000, 400],
])('opens %s', async (_name, width, height, shownWidth) => {
  naturalSize = { width, height }
  const { image, stage, place } = await show()
  expect(image().style.width).toBe(`${shownWidth}px`)
  expect(stage().getAttribute('data-swipe')).toBeNull()
  if (height === 15_200) expect(place()).toContain('translate3d(0px,0px')
})

it('shows the whole of a long page by minus, and more of it by the arrow down', async () => {
  naturalSize = { width: 1080, height: 15_200 }
  const { place, press } = await show()
  press('ArrowDown')
  expect(place()).toMatch(/translate3d\(0px,-80px/)
  for (let time = 0; time < 6; time += 1) press('-')
  await waitFor(() => expect(screen.getByRole('img').style.width).toBe('57px'))
})

it('closes by Escape, and gives the focus back to what opened it', async () => {
  const opener = document.createElement('button')
  document.body.append(opener)
  opener.focus()
  const { unmount } = await show()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: /^Photo, zoom/ }))
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
  expect(closed).toBe(1)
  unmount()
  expect(document.activeElement).toBe(opener)
  opener.remove()
})

it('leaves nothing behind when it is removed', async () => {
  const revoked: string[] = []
  URL.revokeObjectURL = (url) => void revoked.push(url)
  const { unmount, image } = await show(0, pictures.slice(0, 1))
  const shown = image()
  act(unmount)
  expect(shown.isConnected).toBe(false)
  expect(document.querySelector('.pswp')).toBeNull()
  expect(revoked).toEqual(['blob:picture'])
  expect(closed).toBe(0)
})

it('says why a picture cannot be shown, and its neighbours can still be seen', async () => {
  storeOf(() => png(4, 3))
  const answer = globalThis.fetch
  globalThis.fetch = (url, init) =>
    (url as string).endsWith('0') ? Promise.resolve(new Response('', { status: 404 })) : answer(url, init)
  render(<PictureViewer pictures={pictures} startAt={0} onClose={() => undefined} />)
  expect(await screen.findByText('This photo is no longer available')).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('group', { name: /^Photo, zoom/ }), { key: 'ArrowRight' })
  expect(await screen.findByRole('img', { name: 'Photo' })).toBeTruthy()
  expect(screen.queryByText('This photo is no longer available')).toBeNull()
})

it('says before the first saving of a session that the copy is outside of the lock', async () => {
  const saved: string[] = []
  HTMLAnchorElement.prototype.click = function click() {
    saved.push(this.download)
  }
  await show()
  await userEvent.click(screen.getByRole('button', { name: 'Save photo' }))
  expect(screen.getByText(/outside of the lock/)).toBeTruthy()
  expect(saved).toEqual([])
  fireEvent.keyDown(screen.getByRole('button', { name: 'Save' }), { key: 'ArrowRight' })
  expect(screen.getByText('Photo 1 of 3')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(saved).toEqual(['photo.png'])
  await userEvent.click(screen.getByRole('button', { name: 'Save photo' }))
  expect(saved).toEqual(['photo.png', 'photo.png'])
  expect(screen.queryByText(/outside of the lock/)).toBeNull()
})
