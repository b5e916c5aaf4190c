import { act, fireEvent, render, screen } from '../../../test/render.tsx'
import { jest } from '@jest/globals'
import { TipButton, Tooltips } from './TipButton.tsx'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const enter = (name: string) =>
  fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse' })
const leave = (name: string) => fireEvent.pointerLeave(screen.getByRole('button', { name }))
const wait = (ms: number) => act(() => jest.advanceTimersByTime(ms))
const tip = () => screen.queryByRole('tooltip')?.textContent ?? null

it('LIM-04: a tooltip opens after 700 ms, and at once within 300 ms after another', () => {
  render(
    <Tooltips>
      <TipButton label="Settings" />
      <TipButton label="New conversation" />
    </Tooltips>,
  )
  enter('Settings')
  wait(699)
  expect(tip()).toBeNull()
  wait(1)
  expect(tip()).toBe('Settings')
  leave('Settings')
  wait(299)
  enter('New conversation')
  wait(0)
  expect(tip()).toBe('New conversation')
  leave('New conversation')
  wait(301)
  enter('Settings')
  wait(699)
  expect(tip()).toBeNull()
})
