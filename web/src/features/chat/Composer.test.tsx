import { fireEvent, render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { Composer } from './Composer.tsx'
import { pickerGrace } from '../../../test/page.ts'

const real = window.matchMedia
function usePointer(pointer: 'fine' | 'coarse') {
  window.matchMedia = (query) => ({ ...real(query), matches: query === `(pointer: ${pointer})` })
}
beforeEach(() => usePointer('fine'))
afterAll(() => {
  window.matchMedia = real
})

function show(draft: string, { unlimited = true } = {}) {
  const drafts: string[] = []
  const sent: string[] = []
  const files: File[] = []
  render(
    <Composer
      canSend
      unlimited={unlimited}
      draft={draft}
      onDraft={(text) => drafts.push(text)}
      onSend={(content) => sent.push(content)}
      onFiles={(chosen) => files.push(...chosen.files)}
    />,
  )
  const field = screen.getByLabelText<HTMLTextAreaElement>('Message')
  return {
    drafts,
    sent,
    files,
    field,
    button: screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }),
  }
}

/** A clipboard as a browser offers it; jsdom's has no files. */
const clipboard = (text: string, ...files: File[]) => ({
  clipboardData: { files, getData: (type: string) => (type === 'text/plain' ? text : '') },
})
const picture = (name = 'image.png') => new File(['png'], name, { type: 'image/png' })

it('the composer starts with the draft and reports every change', async () => {
  const { drafts, field } = show('so f')
  expect(field.value).toBe('so f')
  await userEvent.type(field, 'ar')
  expect(drafts).toEqual(['so fa', 'so far'])
})

it('CHAT-16: with a mouse, Enter sends; the composer is empty, and leaves the draft to whoever sends it', async () => {
  const { drafts, sent, field } = show('whole')
  expect(field.getAttribute('enterkeyhint')).toBe('send')
  await userEvent.type(field, '{Enter}')
  expect(sent).toEqual(['whole'])
  expect(drafts).toEqual([])
  expect(field.value).toBe('')
})

it('on a touch screen Enter begins a line, its key says so, and the button sends both lines', async () => {
  usePointer('coarse')
  const { sent, field, button } = show('one')
  expect(field.getAttribute('enterkeyhint')).toBe('enter')
  await userEvent.type(field, '{Enter}two')
  expect(sent).toEqual([])
  await userEvent.click(button)
  expect(sent).toEqual(['one\ntwo'])
})

it.each([
  ['isComposing', { isComposing: true }],
  ['the key code 229 of Safari', { keyCode: 229 }],
])('Enter that ends a word of an input method sends nothing, as told by %s', (_name, event) => {
  const { sent, field } = show('日本語')
  fireEvent.keyDown(field, { key: 'Enter', ...event })
  expect(sent).toEqual([])
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  expect(sent).toEqual(['日本語'])
})

it('a text over the limit is kept whole and counted; it is sent only once it was shortened', async () => {
  const { sent, field, button } = show('')
  const family = '👨‍👩‍👧'
  const text = 'x'.repeat(3996) + family
  await userEvent.click(field)
  await userEvent.paste(text)
  expect(field.value).toBe(text)
  expect(screen.getByText('4,004 of 4,000')).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  const sentence = 'A message has at most 4,000 characters. Shorten this one by 4 to send it.'
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(button.disabled).toBe(true)
  await userEvent.type(field, '{Enter}')
  expect(sent).toEqual([])
  await userEvent.type(field, '{Backspace}'.repeat(family.length), { initialSelectionStart: text.length })
  expect(screen.queryByText(sentence)).toBeNull()
  await userEvent.type(field, '{Enter}')
  expect(sent).toEqual(['x'.repeat(3996)])
})

it.each([
  [3799, null],
  [3800, '3,800 of 4,000'],
  [4000, '4,000 of 4,000'],
])(
  'a text of %i characters shows the counter %s and can be sent; blanks around it do not count',
  (length, counter) => {
    const { button } = show(`  ${'x'.repeat(length)}\n`)
    expect(screen.queryByText(/ of 4,000$/)?.textContent ?? null).toBe(counter)
    expect(button.disabled).toBe(false)
  },
)

it('pasted cells and formatted text, which bring a picture of themselves, are text', () => {
  const { files, field } = show('')
  const isHandledByBrowser = fireEvent.paste(field, clipboard('Name\tAge\nAda\t36', picture()))
  expect(isHandledByBrowser).toBe(true)
  expect(files).toEqual([])
})

it('a pasted picture opens the preview, also one that a file manager copied with its name as text', () => {
  const { files, field } = show('')
  const first = picture()
  expect(fireEvent.paste(field, clipboard('', first))).toBe(false)
  const second = picture('holiday.png')
  expect(fireEvent.paste(field, clipboard('holiday.png', second))).toBe(false)
  expect(files).toEqual([first, second])
})

it('all of several pasted files are taken', () => {
  const { files, field } = show('')
  const pasted = [picture('a.png'), picture('b.png')]
  fireEvent.paste(field, clipboard('a.png\nb.png', ...pasted))
  expect(files).toEqual(pasted)
})

describe('the media buttons click one input in the tap itself', () => {
  const tap = async (name: string) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
    let clicks = 0
    input.click = () => (clicks += 1)
    await userEvent.click(screen.getByRole('button', { name }))
    expect(clicks).toBe(1)
    return input
  }
  afterEach(pickerGrace.end)

  it('CHAT-12: one picture of the camera', async () => {
    show('')
    const input = await tap('Take a photo')
    expect(input).toMatchObject({ accept: 'image/*', multiple: false })
    expect(input.getAttribute('capture')).toBe('environment')
  })

  it('CHAT-13 D-63: several pictures and videos of the gallery', async () => {
    show('')
    await tap('Take a photo')
    const input = await tap('Choose a photo or video')
    expect(input).toMatchObject({ accept: 'image/*,video/*', multiple: true })
    expect(input.hasAttribute('capture')).toBe(false)
  })

  it('D-63: one file of the gallery without premium', async () => {
    show('', { unlimited: false })
    expect((await tap('Choose a photo or video')).multiple).toBe(false)
  })

  it.each(['cancel', 'change'])('the page may be hidden from the tap until the %s event', async (end) => {
    const { files } = show('')
    const input = await tap('Choose a photo or video')
    expect(pickerGrace.isArmed()).toBe(true)
    Object.defineProperty(input, 'files', { value: end === 'change' ? [picture()] : [] })
    fireEvent(input, new Event(end, { bubbles: true }))
    expect(pickerGrace.isArmed()).toBe(false)
    expect(files).toHaveLength(end === 'change' ? 1 : 0)
  })
})

it('the composer moves the focus to the note when the last message of the day closes the field', async () => {
  const props = { unlimited: false, draft: '', onDraft: () => undefined, onSend: () => undefined }
  const { rerender } = render(<Composer canSend {...props} />, { wrapper: MemoryRouter })
  await userEvent.click(screen.getByLabelText('Message'))
  rerender(<Composer canSend={false} {...props} />)
  const wayOut = await screen.findByRole('link', { name: 'Upgrade to Premium' })
  expect(document.activeElement?.textContent).toMatch(/^Daily message limit reached/)
  expect(wayOut.getAttribute('href')).toBe('/settings')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').disabled).toBe(true)
})
