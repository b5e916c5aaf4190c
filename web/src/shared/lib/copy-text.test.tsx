import { render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CodeBlock } from '../../features/premium/CodeBlock.tsx'
import { CopyableCode } from '../ui/CopyableCode.tsx'
import { Tooltips } from '../ui/TipButton.tsx'
import { copyText } from './copy-text.ts'
import { dismissToast, toasts as toastStore } from '../../../test/page.ts'

const notCopied = {
  title: 'Not copied',
  description: 'The browser did not allow it. The text is selected: copy it by hand.',
  variant: 'destructive',
}
const offer = (clipboard: object | undefined) =>
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })

afterEach(() => {
  dismissToast()
  Reflect.deleteProperty(navigator, 'clipboard')
})

describe.each([
  ['refuses', { writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) }],
  ['has no clipboard, as on a page that is not served securely', undefined],
])('when the browser %s', (_what, clipboard) => {
  it.each([
    ['Copy code', <CopyableCode key="a" code="ABCD-EFGH-J" />, 'ABCD-EFGH-J'],
    ['Copy upgrade code', <CodeBlock key="b" code="ABCDEFGH12345678" />, 'ABCDEFGH12345678'],
  ])('%s says so and selects the text', async (name, element, text) => {
    render(<Tooltips>{element}</Tooltips>)
    const button = screen.getByRole('button', { name })
    const user = userEvent.setup()
    offer(clipboard)
    await user.click(button)
    await waitFor(() => expect(toastStore.get()).toMatchObject(notCopied))
    expect(window.getSelection()?.toString()).toBe(text)
  })
})

it('a text that was copied is not selected', async () => {
  const written: string[] = []
  offer({ writeText: (text: string) => Promise.resolve(void written.push(text)) })
  const shown = document.createElement('p')
  expect(await copyText('ABCD', shown)).toBe(true)
  expect(written).toEqual(['ABCD'])
  expect(shown.style.cssText).toBe('')
})

it('a text that could not be copied can be selected where a long press means something else', async () => {
  const shown = document.createElement('p')
  const set: string[] = []
  shown.style.setProperty = (name, value) => void set.push(`${name}: ${value}`)
  expect(await copyText('ABCD', shown)).toBe(false)
  expect(set).toEqual(['-webkit-user-select: text', 'user-select: text'])
})

it('no other file of the client writes to the clipboard by itself', () => {
  const sources = join(import.meta.dirname, '../..')
  const writers = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => /clipboard\.write/.test(readFileSync(join(sources, file), 'utf8')))
  expect(writers).toEqual(['shared/lib/copy-text.ts'])
})
