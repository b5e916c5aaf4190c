import { render, screen } from '@testing-library/react'
import { PasswordDisplay } from './PasswordDisplay.tsx'

it('CALC-12: the calculator asks for the password in password mode, but not in discreet mode', () => {
  const { rerender } = render(<PasswordDisplay count={0} isChecking={false} isDiscreet={false} />)
  expect(screen.getByText('Enter Password')).toBeTruthy()
  rerender(<PasswordDisplay count={0} isChecking={false} isDiscreet />)
  expect(screen.queryByText('Enter Password')).toBeNull()
  expect(screen.getByRole('status', { name: 'Result' }).textContent).toBe('0')
})

it('CALC-13: the calculator shows one dot per digit and announces only their number', () => {
  render(<PasswordDisplay count={3} isChecking={false} isDiscreet={false} />)
  const entry = screen.getByRole('status', { name: 'Entry' })
  expect(entry.querySelector('[aria-hidden]')?.textContent).toBe('•••')
  expect(entry.querySelector('.sr-only')?.textContent).toBe('3 digits')
})
