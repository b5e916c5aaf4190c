import { act, fireEvent, render, screen, waitFor } from '../../../test/render.tsx'
import { jest } from '@jest/globals'
import { Dialog } from './Dialog.tsx'
import { Toaster } from './Toaster.tsx'
import { dismissToast, toast } from '../../../test/page.ts'

beforeEach(() => void render(<Toaster />))
afterEach(() => {
  act(dismissToast)
  jest.useRealTimers()
})
const shown = () => screen.queryAllByRole('button', { name: 'Dismiss' })

it('TOAST-01: a second toast takes the place of the first', () => {
  act(() => toast({ title: 'First' }))
  act(() => toast({ title: 'Second' }))
  expect(shown()).toHaveLength(1)
  expect(screen.queryAllByText('First')).toEqual([])
  expect(screen.getAllByText('Second').length).toBeGreaterThan(0)
})

it('TOAST-02: a destructive toast does not look like a default one', () => {
  const look = () => screen.getByRole('button', { name: 'Dismiss' }).closest('li')?.className
  act(() => toast({ title: 'Copied' }))
  const plain = look()
  act(() => toast({ title: 'Failed', variant: 'destructive' }))
  expect(plain).not.toContain('text-danger')
  expect(look()).toContain('text-danger')
})

it('TOAST-03: F8 moves the focus to the toasts', () => {
  act(() => toast({ title: 'Copied' }))
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
  expect(document.activeElement).toBe(screen.getByRole('list'))
})

it('LIM-02: a toast stays for 5000 ms, unless it says otherwise', () => {
  jest.useFakeTimers()
  act(() => toast({ title: 'Copied' }))
  act(() => jest.advanceTimersByTime(4999))
  expect(shown()).toHaveLength(1)
  act(() => jest.advanceTimersByTime(1))
  expect(shown()).toHaveLength(0)
  act(() => toast({ title: 'Hint', durationMs: 8000 }))
  act(() => jest.advanceTimersByTime(7999))
  expect(shown()).toHaveLength(1)
  act(() => jest.advanceTimersByTime(1))
  expect(shown()).toHaveLength(0)
})

it('a toast stands inside the open dialog, which makes everything else inert, and outlives it', async () => {
  act(() => toast({ title: 'Before' }))
  const view = render(
    <Dialog open onOpenChange={() => undefined} title="A dialog">
      Text
    </Dialog>,
  )
  const isInside = () => screen.queryByRole('button', { name: 'Dismiss' })?.closest('dialog') != null
  await waitFor(() => expect(isInside()).toBe(true))
  act(() => toast({ title: 'Within' }))
  expect(isInside()).toBe(true)
  view.unmount()
  await waitFor(() => expect(shown()).toHaveLength(1))
  expect(isInside()).toBe(false)
  expect(screen.getByRole('list').textContent).toBe('Within')
})

it('a toast that would lie over the focused control is raised', () => {
  const button = render(<button type="button">Sign In</button>).getByRole('button', { name: 'Sign In' })
  button.focus()
  const rect = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 9, 9))
  act(() => toast({ title: 'Login failed' }))
  expect(screen.getByRole('list').hasAttribute('data-raised')).toBe(true)
  button.blur()
  act(() => toast({ title: 'Login failed again' }))
  expect(screen.getByRole('list').hasAttribute('data-raised')).toBe(false)
  rect.mockRestore()
})

it.each([
  ['stays after a swipe to the right of', 50, 1],
  ['leaves on a swipe to the right of', 51, 0],
  ['stays after a swipe to the left, which is', -80, 1],
])('LIM-03: a toast %s %i px', (_what, distance, left) => {
  // jsdom has no pointer capture.
  HTMLElement.prototype.setPointerCapture = () => undefined
  HTMLElement.prototype.hasPointerCapture = () => false
  act(() => toast({ title: 'Copied' }))
  const item = screen.getByRole('button', { name: 'Dismiss' }).closest('li')
  if (!item) throw new Error('no toast')
  const point = (type: string, clientX: number) =>
    fireEvent(item, new MouseEvent(type, { bubbles: true, cancelable: true, clientX }))
  point('pointerdown', 0)
  point('pointermove', Math.sign(distance) * 20)
  point('pointermove', distance)
  point('pointerup', distance)
  expect(shown()).toHaveLength(left)
})
