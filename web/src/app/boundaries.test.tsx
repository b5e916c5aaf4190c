import { jest } from '@jest/globals'
import { render, screen } from '../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { InnerBoundary } from './InnerBoundary.tsx'
import { RootBoundary } from './RootBoundary.tsx'

function Broken(): never {
  throw new Error('broken')
}

// React logs errors that a boundary catches.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => jest.restoreAllMocks())

it('shows a working calculator when the app cannot be rendered', async () => {
  render(
    <RootBoundary>
      <Broken />
    </RootBoundary>,
  )
  for (const key of [...'7×6=']) {
    await userEvent.click(screen.getByRole('button', { name: key }))
  }
  expect(screen.getByRole('status', { name: 'Result' }).textContent).toBe('42')
  await userEvent.keyboard('+8=')
  expect(screen.getByRole('status', { name: 'Result' }).textContent).toBe('50')
})

it('offers Retry in neutral words when a screen cannot be rendered', () => {
  render(
    <InnerBoundary>
      <Broken />
    </InnerBoundary>,
  )
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
  expect(document.body.textContent).not.toMatch(/chat|messag|conversation|secret|unlock|password/i)
})
