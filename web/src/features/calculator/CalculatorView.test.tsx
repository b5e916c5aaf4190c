import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { CalculatorView } from './CalculatorView.tsx'
import { initialCalculator } from './machine.ts'

function show(props: Partial<ComponentProps<typeof CalculatorView>> = {}) {
  const onKey = jest.fn()
  const onSwipe = jest.fn()
  const defaults = { state: initialCalculator, passwordMode: false, masked: '', menu: null }
  const { container } = render(<CalculatorView {...defaults} onKey={onKey} onSwipe={onSwipe} {...props} />)
  return { onKey, onSwipe, container }
}

it('CALC-01: shows the expression and the result', () => {
  show({ state: { ...initialCalculator, expression: '1000 + 234.5 =', display: '1234.5' } })
  expect(screen.getByText('1,000 + 234.5 =')).toBeTruthy()
  expect(screen.getByRole('status', { name: 'Result' }).textContent).toBe('1,234.5')
})

it('CALC-02: shows the history, oldest first', () => {
  const history = [
    { expression: '1 + 2', result: '3' },
    { expression: '4 × 5', result: '20' },
  ]
  show({ state: { ...initialCalculator, history } })
  const tape = within(screen.getByRole('region', { name: 'History' }))
  expect(tape.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['1 + 2 =3', '4 × 5 =20'])
})

it('CALC-03: every key is there, under its name, and reports itself', async () => {
  const { onKey } = show()
  const keys = within(screen.getByRole('group', { name: 'Keypad' })).getAllByRole('button')
  for (const key of keys) await userEvent.click(key)
  expect(onKey.mock.calls.flat()).toEqual([...'C±%÷789×456−123+0.='])
  expect(keys.map((key) => key.getAttribute('aria-label'))).toEqual(
    expect.arrayContaining(['clear', 'plus', 'equals', 'seven', 'decimal point']),
  )
})

it('has a button for what the swipe does', async () => {
  const { onKey } = show()
  await userEvent.click(screen.getByRole('button', { name: 'Delete last digit' }))
  expect(onKey).toHaveBeenCalledWith('backspace')
})

it('CALC-12: asks for the password in password mode, and hides the number', () => {
  show({ passwordMode: true, state: { ...initialCalculator, expression: '7 +', display: '987' } })
  expect(screen.getByText('Enter Password')).toBeTruthy()
  expect(screen.queryByText('987')).toBeNull()
  expect(screen.queryByText('7 +')).toBeNull()
})

it('CALC-13: shows one dot per digit and announces only how many there are', () => {
  show({ passwordMode: true, masked: '•••' })
  const entry = screen.getByRole('status', { name: 'Entry' })
  expect(entry.querySelector('[aria-hidden]')?.textContent).toBe('•••')
  expect(entry.querySelector('.sr-only')?.textContent).toBe('3 digits')
})

it('CALC-20: a stroke over the display counts, to the left as to the right', () => {
  const { onSwipe } = show()
  const display = screen.getByRole('status', { name: 'Result' })
  for (const [from, to] of [
    [200, 100],
    [100, 200],
  ] as const) {
    fireEvent.pointerDown(display, { pointerId: 1, isPrimary: true, clientX: from })
    fireEvent.pointerUp(display, { pointerId: 1, isPrimary: true, clientX: to })
  }
  expect(onSwipe).toHaveBeenCalledTimes(2)
})

it('writes no style into the page: the content security policy would refuse it', () => {
  const { container } = show()
  expect(container.querySelectorAll('style, [style]')).toHaveLength(0)
})
