import { act, cleanup, render, screen, waitFor } from '../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { fakeApi, lockedUser } from '../../test/fake-api.ts'
import { endLock } from '../../test/leave-page.ts'
import { discreetTexts } from '../../test/discreet-texts.ts'
import { forgetDevice, rememberDevice } from '../features/device/remember-device.ts'
import { App } from './App.tsx'
import { Root } from './Root.tsx'
import { earlyEntry, preferences, testPage } from '../../test/page.ts'

const { id, username, isSetupComplete, silentCheck, unlockPausedUntil } = lockedUser
const reduced = { id, username, isSetupComplete, silentCheck, unlockPausedUntil }
const clockTime = /^\d{1,2}:\d\d(\s?[AP]M)?$/

interface Phone {
  name: string
  user: () => ReturnType<Parameters<typeof fakeApi>[0][string]>
  show: () => void
  acceptedTerms?: boolean
}
const paused = () => ({
  status: 200,
  body: { ...reduced, unlockPausedUntil: new Date(Date.now() + 60_000).toISOString() },
})
const showApp = () => void render(<App page={testPage} />)
/** Shows the first page of an app that never arrives. */
const showFirstPage = () => void render(<Root entry={testPage} load={() => new Promise(() => undefined)} />)

const phones: Phone[] = [
  { name: 'locked and paused', user: paused, show: showApp },
  { name: 'without a connection', user: () => 'no connection', show: showApp },
  { name: 'at its first visit', user: paused, show: showFirstPage, acceptedTerms: false },
]

/**
 * Finds the controls that a person can press, except the keys of the calculator and those that end the disguise or
 * leave the page.
 */
const controls = () =>
  [...document.querySelectorAll<HTMLElement>('button, input, [role=switch], select')].filter(
    (control) => control.closest('[aria-label=Keypad]') === null && control.textContent !== 'Logout',
  )

const nameOf = (control: HTMLElement) =>
  [control.closest('dialog')?.querySelector('h2'), control, control.closest('label')]
    .map((element) => `${element?.getAttribute('aria-label') ?? ''}${element?.textContent ?? ''}`)
    .join('|')

/** Returns the visible texts, one per block, and the names that are only announced. */
function textsOnPage(): string[] {
  const texts: string[] = []
  const inline = new Set(['A', 'BDI', 'STRONG', 'EM'])
  const read = (element: Element) => {
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      texts.push(element.getAttribute(name) ?? '')
    const children = [...element.children]
    if (children.every((child) => inline.has(child.tagName))) texts.push(element.textContent ?? '')
    else
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '')
    for (const child of children) read(child)
  }
  read(document.body)
  return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
}

const quiet = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)))

/** Opens the phone and presses the controls at these positions, one after the other. */
async function walk({ show, acceptedTerms = true, user }: Phone, path: readonly number[]) {
  localStorage.clear()
  if (acceptedTerms) localStorage.setItem('calc.terms', '1')
  localStorage.setItem('calc.h', JSON.stringify([{ expression: '2 + 3', result: '5' }]))
  preferences.change({ theme: 'system', decimals: null, keepsHistory: true })
  window.history.replaceState(null, '', '/')
  rememberDevice(true)
  const server = fakeApi({ 'GET /api/user': user })
  show()
  await screen.findByRole('button', { name: 'Menu', hidden: true })
  await quiet()
  for (const position of path) {
    const control = controls()[position]
    if (control) await userEvent.click(control)
    await quiet()
    // The first page waits without end for an app that never arrives.
    const hasLoaded = () => expect(document.body.textContent).not.toContain('Loading')
    await waitFor(hasLoaded, { timeout: 3000 }).catch(() => undefined)
    await quiet()
  }
  const texts = textsOnPage()
  const names = controls().map(nameOf)
  cleanup()
  server.answers['POST /api/lock'] = () => ({ status: 200 })
  await act(endLock)
  server.restore()
  earlyEntry.forget()
  return { texts, names }
}

/** Returns the texts of every place that presses lead to. The same control of the same dialog is pressed once. */
async function allTexts(phone: Phone): Promise<Set<string>> {
  const seen = new Set<string>()
  const pressed = new Set<string>()
  const paths: number[][] = [[]]
  for (let path = paths.shift(); path; path = paths.shift()) {
    const { texts, names } = await walk(phone, path)
    for (const text of texts) seen.add(text)
    for (const [position, name] of names.entries()) {
      if (pressed.has(name)) continue
      pressed.add(name)
      paths.push([...path, position])
    }
  }
  return seen
}

const allSeen = new Set<string>()
afterEach(() => {
  forgetDevice()
  localStorage.clear()
})

it.each(phones)(
  'a phone in discreet mode, $name, shows a calculator’s texts wherever its menus lead',
  async (phone) => {
    const seen = await allTexts(phone)
    const isAllowed = (text: string) => discreetTexts.includes(text) || clockTime.test(text)
    expect([...seen].filter((text) => !isAllowed(text))).toEqual([])
    expect([...seen]).toEqual(expect.arrayContaining(['Settings', 'Privacy Policy', 'What this covers']))
    for (const text of seen) allSeen.add(text)
  },
  120_000,
)

it('every text of the list of discreet mode is shown somewhere', () => {
  expect(discreetTexts.filter((text) => !allSeen.has(text))).toEqual([])
})
