import { act, render } from '../../test/render.tsx'
import { useEffect } from 'react'
import { MemoryRouter, useNavigate } from 'react-router-dom'
import type { NavigateFunction } from 'react-router-dom'
import { ScreenToasts } from './ScreenToasts.tsx'
import { toast, toasts as toastStore } from '../../test/page.ts'

const navigation: { go?: NavigateFunction } = {}

function Navigation() {
  const navigate = useNavigate()
  useEffect(() => {
    navigation.go = navigate
  }, [navigate])
  return null
}

beforeEach(() => {
  render(
    <MemoryRouter initialEntries={['/messaging']}>
      <ScreenToasts />
      <Navigation />
    </MemoryRouter>,
  )
})

const shownAfter = (path: string, outlivesScreen: boolean) => {
  toast({ title: 'Failed to start conversation', outlivesScreen })
  act(() => void navigation.go?.(path))
  return toastStore.get() !== null
}

it('the router dismisses a toast when its screen is left, unless it is meant for the next one', () => {
  expect(shownAfter('/settings', false)).toBe(false)
  expect(shownAfter('/messaging', true)).toBe(true)
})

it('the router dismisses every toast of another screen at the calculator', () => {
  expect(shownAfter('/', true)).toBe(false)
})
