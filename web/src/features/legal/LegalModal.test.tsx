import { fireEvent, render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { deviceStorage } from '../device/safe-storage.ts'
import { LegalModal } from './LegalModal.tsx'

beforeEach(() => localStorage.clear())

const button = (name: string) => screen.getByRole('button', { name })

it('LEGAL-08: the legal modal covers the calculator on the first visit, and neither Escape nor a click beside it removes it', () => {
  render(<LegalModal />)
  const dialog = screen.getByRole('dialog')
  // A browser fires this event for Escape or the back gesture and closes the dialog unless it is prevented.
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false)
  fireEvent.pointerDown(dialog)
  fireEvent.click(dialog)
  expect(dialog.isConnected).toBe(true)
  expect(localStorage.length).toBe(0)
})

it('LEGAL-09: the legal modal stays away once the flag is set', () => {
  localStorage.setItem('calc.terms', '1')
  render(<LegalModal />)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it.each([
  ['Privacy Policy', /stored only as hashes/],
  ['Terms of Use', /one message a day/],
])('LEGAL-10 LEGAL-11: the legal modal shows the %s, and returns from it', async (title, sentence) => {
  render(<LegalModal />)
  await userEvent.click(button(title))
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Accept and Continue' })).toBeNull()
  await userEvent.click(button('Back'))
  expect(button('Accept and Continue')).toBeTruthy()
})

it('LEGAL-12: Accept and Continue sets the flag and closes the modal', async () => {
  render(<LegalModal />)
  await userEvent.click(button('Accept and Continue'))
  expect(localStorage.getItem('calc.terms')).toBe('1')
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('the legal modal does not mention what is behind the calculator', () => {
  render(<LegalModal />)
  expect(screen.getByRole('dialog').textContent).not.toMatch(
    /chat|messag|secret|conversation|messenger|unlock/i,
  )
})

it('the legal modal appears, and can be accepted, where the browser blocks storage', async () => {
  const real = Object.getOwnPropertyDescriptor(window, 'localStorage') as PropertyDescriptor
  Object.defineProperty(window, 'localStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  })
  try {
    render(<LegalModal />)
    await userEvent.click(button('Accept and Continue'))
    expect(screen.queryByRole('dialog')).toBeNull()
  } finally {
    Object.defineProperty(window, 'localStorage', real)
    deviceStorage.remove('calc.terms')
  }
})

it('the legal modal moves the focus to the title when the document replaces the buttons, and back again', async () => {
  render(<LegalModal />)
  await userEvent.click(button('Terms of Use'))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Terms of Use' }))
  await userEvent.click(button('Back'))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Welcome' }))
})

it('the legal modal returns from a document at Escape', async () => {
  render(<LegalModal />)
  await userEvent.click(button('Privacy Policy'))
  // The event is prevented, because the browser would close the dialog.
  expect(fireEvent.keyDown(document.body, { key: 'Escape' })).toBe(false)
  expect(button('Accept and Continue')).toBeTruthy()
})
