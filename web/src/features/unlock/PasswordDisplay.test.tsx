import { render, screen } from '../../../test/render.tsx'
import { PasswordDisplay } from './PasswordDisplay.tsx'

it('CALC-12: the calculator asks for the password in password mode', () => {
  render(<PasswordDisplay count={0} isChecking={false} />)
  expect(screen.getByText('Enter Password')).toBeTruthy()
})

it('CALC-13: the calculator shows one dot per digit and announces only their number', () => {
  render(<PasswordDisplay count={3} isChecking={false} />)
  const entry = screen.getByRole('status', { name: 'Entry' })
  expect(entry.querySelector('[aria-hidden]')?.textContent).toBe('•••')
  expect(entry.querySelector('.sr-only')?.textContent).toBe('3 digits')
})
