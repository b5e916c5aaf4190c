import { fireEvent, render } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import type { CalculatorKey } from './calculator-state.ts'
import { useKeyboard } from './use-keyboard.ts'

const pressed: CalculatorKey[] = []

function Page({ enabled, isDialogOpen = false }: { enabled?: boolean; isDialogOpen?: boolean }) {
  useKeyboard((key) => pressed.push(key), enabled)
  return (
    <>
      <button type="button">key</button>
      <input />
      <a href="/elsewhere">link</a>
      <dialog open={isDialogOpen} />
    </>
  )
}

const press = (key: string, more: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...more })

beforeEach(() => pressed.splice(0))

it('useKeyboard maps the keys of a keyboard', () => {
  render(<Page />)
  for (const key of [...'07.,+-*/%=', 'Enter', 'Escape', 'Backspace']) press(key)
  expect(pressed).toEqual([...'07..+−×÷%==C', 'backspace'])
})

it('useKeyboard accepts the operators as all keyboards write them, and the names of a number pad', () => {
  render(<Page />)
  for (const key of '×xX·⋅÷:∕−–—±٫٪＋') press(key)
  for (const key of ['Add', 'Subtract', 'Multiply', 'Divide', 'Decimal', 'Separator', 'Clear', 'Delete'])
    press(key)
  expect(pressed).toEqual([...'×××××÷÷÷−−−±.%++−×÷..C', 'clearEntry'])
})

it('useKeyboard accepts what Alt Gr or the Option key of a Mac types, but no shortcut with them', () => {
  render(<Page />)
  press('÷', { altKey: true })
  press('–', { altKey: true })
  press('×', { ctrlKey: true, altKey: true, modifierAltGraph: true })
  press('-', { altKey: true })
  press('÷', { metaKey: true })
  press('8', { isComposing: true })
  expect(pressed).toEqual([...'÷−×'])
})

it('useKeyboard ignores shortcuts, other keys and a held Enter', () => {
  render(<Page />)
  press('1', { ctrlKey: true })
  press('1', { metaKey: true })
  press('1', { altKey: true })
  const prevented = new KeyboardEvent('keydown', { key: '1', bubbles: true, cancelable: true })
  prevented.preventDefault()
  fireEvent(document.body, prevented)
  expect(press('a')).toBe(true)
  press('F5')
  press('Enter', { repeat: true })
  expect(pressed).toEqual([])
  expect(press('Backspace', { repeat: true })).toBe(false)
  expect(pressed).toEqual(['backspace'])
})

it('useKeyboard ignores Enter on a focused button or link, and all keys in a field', () => {
  const { getByRole } = render(<Page />)
  press('Enter', {}, getByRole('button'))
  press('Enter', {}, getByRole('link'))
  press('5', {}, getByRole('textbox'))
  expect(pressed).toEqual([])
  press('5', {}, getByRole('button'))
  expect(pressed).toEqual(['5'])
})

it('useKeyboard takes the focus from a button when a key is typed, so that Enter is equals', async () => {
  const { getByRole } = render(<Page />)
  getByRole('button').focus()
  await userEvent.keyboard('5{Enter}')
  expect(document.activeElement).toBe(document.body)
  expect(pressed).toEqual(['5', '='])
})

it('useKeyboard ignores all keys under an open dialog, when disabled, and after it is unmounted', () => {
  const { rerender, unmount } = render(<Page isDialogOpen />)
  press('5')
  rerender(<Page enabled={false} />)
  press('5')
  expect(pressed).toEqual([])
  rerender(<Page />)
  press('5')
  unmount()
  press('6')
  expect(pressed).toEqual(['5'])
})

it.each(['٣', '۳', '३', '３'])('useKeyboard takes the digit %s of another script', (key) => {
  render(<Page />)
  press(key)
  expect(pressed).toEqual(['3'])
})
