import { fireEvent, render, screen, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { CalculatorView } from './CalculatorView.tsx'
import { type CalculatorAction, initialCalculator } from './calculator-state.ts'

function show(props: Partial<ComponentProps<typeof CalculatorView>> = {}) {
  const keys: CalculatorAction[] = []
  const swipes: true[] = []
  const defaults = { state: initialCalculator, menu: null }
  const { container } = render(
    <CalculatorView
      {...defaults}
      onKey={(key) => keys.push(key)}
      onSwipe={() => swipes.push(true)}
      {...props}
    />,
  )
  return { keys, swipes, container }
}

it('CALC-01: the calculator shows the expression and the result', () => {
  show({ state: { ...initialCalculator, expression: '1000 + 234.5 =', display: '1234.5' } })
  expect(screen.getByText('1,000 + 234.5 =')).toBeTruthy()
  expect(screen.getByRole('status', { name: 'Result' }).textContent).toBe('1,234.5')
})

it('the calculator replaces the beginning of a long expression by dots, and never shows half a number', () => {
  show({ state: { ...initialCalculator, expression: '123456789012 × 999999999999 =' } })
  const line = screen.getByText('123,456,789,012 × 999,999,999,999 =').parentElement
  expect(line?.dir).toBe('rtl')
  expect(line?.className).toMatch(/\btruncate\b.*\btext-sm\b/)
})

it('CALC-02: the calculator shows the history, oldest first', () => {
  const history = [
    { expression: '1 + 2', result: '3' },
    { expression: '4 × 5', result: '20' },
  ]
  show({ state: { ...initialCalculator, history } })
  const tape = within(screen.getByRole('region', { name: 'History' }))
  expect(tape.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['1 + 2 =3', '4 × 5 =20'])
})

it('CALC-03: every key exists under its name and reports its press', async () => {
  const { keys } = show()
  const buttons = within(screen.getByRole('group', { name: 'Keypad' })).getAllByRole('button')
  for (const button of buttons) await userEvent.click(button)
  expect(keys).toEqual([...'C±%÷789×456−123+0.='])
})

it('the calculator has a button with the effect of the swipe', async () => {
  const { keys } = show()
  await userEvent.click(screen.getByRole('button', { name: 'Delete last digit' }))
  expect(keys).toEqual(['backspace'])
})

it('the calculator shows a given display in the place of expression and number', () => {
  const display = <p>In its place</p>
  show({ display, state: { ...initialCalculator, expression: '7 +', display: '987' } })
  expect(screen.getByText('In its place')).toBeTruthy()
  expect(screen.queryByText('987')).toBeNull()
  expect(screen.queryByText('7 +')).toBeNull()
})

it('a swipe over the keys does not count', () => {
  const { swipes } = show()
  const zero = screen.getByRole('button', { name: '0' })
  // jsdom does not implement pointer events.
  const point = (type: string, clientX: number) =>
    Object.assign(new MouseEvent(type, { bubbles: true, clientX }), { pointerId: 1, isPrimary: true })
  fireEvent(zero, point('pointerdown', 200))
  fireEvent(zero, point('pointerup', 100))
  expect(swipes).toEqual([])
})

it('the calculator copies and pastes nothing while a given display takes the place of the number', () => {
  const { keys } = show({ display: <p>••</p> })
  const setData = () => keys.push('C')
  fireEvent.copy(document.body, { clipboardData: { setData } })
  fireEvent.paste(document.body, { clipboardData: { getData: () => '1815' } })
  expect(keys).toEqual([])
})

it('the calculator writes no style into the page: the content security policy would refuse it', () => {
  const { container } = show()
  expect(container.querySelectorAll('style, [style]')).toHaveLength(0)
})
