import { render, screen, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { SideMenu } from './SideMenu.tsx'

async function openMenu() {
  let settingsOpened = 0
  render(<SideMenu onSettings={() => settingsOpened++} />)
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  return () => settingsOpened
}

it('CALC-06: the side menu lists Settings, Help & Support and About', async () => {
  await openMenu()
  const items = screen.getByRole('navigation').querySelectorAll('button')
  expect([...items].map((item) => item.textContent)).toEqual(['Settings', 'Help & Support', 'About'])
})

it('the entry Settings of the side menu calls back', async () => {
  const settingsOpened = await openMenu()
  await userEvent.click(screen.getByRole('button', { name: 'Settings' }))
  expect(settingsOpened()).toBe(1)
})

it.each(['Help & Support', 'About'])('CALC-08: %s opens an answer that can be closed again', async (name) => {
  await openMenu()
  await userEvent.click(screen.getByRole('button', { name }))
  expect(screen.getByRole('dialog', { name }).textContent).toMatch(/calculat/i)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('LEGAL-01: About leads to both legal documents, each over it and with a way back', async () => {
  await openMenu()
  await userEvent.click(screen.getByRole('button', { name: 'About' }))
  for (const name of ['Privacy Policy', 'Terms of Use']) {
    await userEvent.click(screen.getByRole('button', { name }))
    const document = within(screen.getByRole('dialog', { name }))
    expect(await document.findByText(/at least 18 years old/)).toBeTruthy()
    await userEvent.click(document.getByRole('button', { name: 'Back' }))
    expect(screen.queryByRole('dialog', { name })).toBeNull()
  }
  expect(screen.getByRole('dialog', { name: 'About' })).toBeTruthy()
})

it('the side menu returns the focus to the menu button when a dialog closes', async () => {
  await openMenu()
  await userEvent.click(screen.getByRole('button', { name: 'About' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Menu' }))
})
