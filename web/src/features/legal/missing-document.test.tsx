import { jest } from '@jest/globals'
import { render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { LegalModal } from './LegalModal.tsx'

let tries = 0
// Simulates a network on which the file cannot be downloaded.
jest.unstable_mockModule('./legal-documents.tsx', () => {
  tries += 1
  throw new TypeError('Failed to fetch dynamically imported module')
})

beforeEach(() => {
  localStorage.clear()
  // React reports the errors that a boundary caught.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => jest.restoreAllMocks())

it('shows a message and a way back when a legal document cannot be loaded', async () => {
  render(<LegalModal />)
  await userEvent.click(screen.getByRole('button', { name: 'Privacy Policy' }))
  expect(await screen.findByText('This could not be loaded.')).toBeTruthy()
  expect(tries).toBe(2)
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(screen.getByRole('button', { name: 'Accept and Continue' })).toBeTruthy()
})
