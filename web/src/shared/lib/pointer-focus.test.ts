import { fireEvent } from '@testing-library/react'
import { watchPointerFocus } from './pointer-focus.ts'

it('a page that is touched hides focus rings, until a key moves the focus', () => {
  const root = document.documentElement
  const isMarked = () => root.hasAttribute('data-pointer')
  const real = window.matchMedia
  window.matchMedia = (query) => ({ matches: query === '(pointer: coarse)' }) as MediaQueryList
  watchPointerFocus()
  window.matchMedia = real
  expect(isMarked()).toBe(true)
  fireEvent.keyDown(document.body, { key: 'a' })
  expect(isMarked()).toBe(true)
  fireEvent.keyDown(document.body, { key: 'Tab' })
  expect(isMarked()).toBe(false)
  fireEvent.pointerDown(document.body)
  expect(isMarked()).toBe(true)
})
