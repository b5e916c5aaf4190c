import { jest } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { answerOfWorker, fakePictureWorker } from '../../../../test/fake-picture-worker.ts'
import { closePickers, openPicker, photo } from '../../../../test/open-picker.ts'

let isOnline = true
Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline })
const setOnline = (state: boolean) => {
  isOnline = state
  window.dispatchEvent(new Event(state ? 'online' : 'offline'))
}
const text = (root: HTMLElement) => root.textContent ?? ''

beforeEach(() => void fakePictureWorker())
afterEach(() => {
  closePickers()
  isOnline = true
  jest.useRealTimers()
})

it('UP-02: the widget has a drop area and a button to browse', () => {
  const { target } = openPicker()
  expect(text(target)).toContain('Drop a file here or browse')
  expect(within(target).getByRole('button', { name: 'browse' })).toBeTruthy()
})

it('UP-02: a file that is dropped on the widget is chosen', async () => {
  const { picker, target } = openPicker()
  const drop = new Event('drop', { bubbles: true })
  const dataTransfer = { files: [photo()], items: undefined, types: ['Files'] }
  target.querySelector('.uppy-Dashboard')?.dispatchEvent(Object.assign(drop, { dataTransfer }))
  await waitFor(() => expect(picker.getFiles()).toHaveLength(1))
})

it('UP-03: the widget lists the chosen files with name and size', async () => {
  const { target, add } = openPicker()
  add(photo('one.jpg'))
  add(photo('two.jpg'))
  await waitFor(() => expect(within(target).getAllByText(/^(one|two)\.jpg$/)).toHaveLength(2))
  expect(within(target).getAllByText('7 B')).toHaveLength(2)
})

it('UP-04: the card of a file takes a caption', async () => {
  const { picker, add } = openPicker()
  const id = add()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit file holiday.jpg' }))
  await userEvent.type(await screen.findByLabelText('Caption'), 'At the sea')
  // The widget reads the typed text with the next frame.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(picker.getFile(id).meta.caption).toBe('At the sea'))
})

it('LIM-05: a chosen file is not uploaded until the person says so', async () => {
  const { picker, shows, add } = openPicker()
  jest.useFakeTimers()
  const id = add()
  await jest.advanceTimersByTimeAsync(60_000)
  expect(picker.getFile(id).progress.uploadStarted).toBeNull()
  expect(shows('.uppy-StatusBar.is-waiting')).toBe(true)
})

it('LIM-16: without limits of its own the widget takes any number of files of any size', () => {
  const { picker } = openPicker()
  const huge = Object.defineProperty(photo('huge.jpg'), 'size', { value: 10 ** 13 })
  const files = [huge, ...Array.from({ length: 200 }, (_, number) => photo(`${number}.jpg`))]
  picker.addFiles(files.map((data) => ({ name: data.name, type: data.type, data })))
  expect(picker.getFiles()).toHaveLength(201)
})

it('VAL-29: no file is added while new uploads are not allowed', () => {
  const { picker, add, messages } = openPicker()
  picker.setState({ allowNewUpload: false })
  expect(() => add()).toThrow('Wait for this upload to end')
  expect(picker.getFiles()).toEqual([])
  // The core reports it twice.
  expect(new Set(messages())).toEqual(
    new Set(['Wait for this upload to end before you choose another file.']),
  )
})

it('VAL-30: a file whose id is there already is refused, unless that one is a ghost', () => {
  const { picker, add } = openPicker()
  const id = add()
  expect(() => add()).toThrow('This file is already chosen.')
  picker.setFileState(id, { isGhost: true })
  expect(add()).toBe(id)
  expect(picker.getFile(id).isGhost).toBe(false)
})

it('VAL-31: a missing meta field is asked for before the upload', async () => {
  const { picker, target, add } = openPicker({ restrictions: { requiredMetaFields: ['caption'] } })
  const id = add()
  await expect(picker.upload()).rejects.toThrow()
  expect(picker.getFile(id).progress.uploadStarted).toBeNull()
  await waitFor(() => expect(text(target)).toContain('Missing required meta field(s): Caption.'))
})

const wrongFiles = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    ...{ name: `${number}.txt`, type: 'text/plain' },
    data: new Blob(['text']),
  }))

it('ERR-37 D-64: four refused files have a notice each, and the others one with their number', () => {
  const { picker, messages } = openPicker({ restrictions: { allowedFileTypes: ['image/*'] } })
  picker.addFiles(wrongFiles(7))
  expect(messages()).toHaveLength(5)
  expect(messages().at(-1)).toBe('3 more files cannot be sent. Choose other ones.')
})

it('D-53: a file that fails has no notice with its name, and keeps the sentence that says why', async () => {
  fakePictureWorker(() => 'not_prepared')
  const { picker, messages, add } = openPicker()
  const id = add()
  await picker.upload()
  expect(messages()).toEqual([])
  expect(picker.getFile(id).error).toContain('This file could not be prepared.')
})

it('ERR-39: several faults at once read Multiple errors occurred while adding files', () => {
  const { picker, messages } = openPicker()
  const onBeforeFileAdded = () => {
    throw new Error('fault')
  }
  picker.setOptions({ onBeforeFileAdded })
  expect(() => picker.addFiles(wrongFiles(2))).toThrow('Multiple errors occurred while adding files')
  expect(messages()).toEqual(['Multiple errors occurred while adding files'])
})

it('ERR-40: the widget says that it is offline until the connection is back, also beside other notices', async () => {
  jest.useFakeTimers()
  const { picker, messages } = openPicker()
  const offline = 'No connection. The upload goes on when you are back.'
  setOnline(false)
  await jest.advanceTimersByTimeAsync(600_000)
  expect(messages()).toEqual([offline])
  picker.info('Something else')
  expect(messages()).toEqual(['Something else', offline])
  await jest.advanceTimersByTimeAsync(3000)
  expect(messages()).toEqual([offline])
  setOnline(true)
  expect(messages()).not.toContain(offline)
})

it('ERR-41 D-65: back online the widget says so for 3000 ms', async () => {
  jest.useFakeTimers()
  const { messages } = openPicker()
  setOnline(false)
  await jest.advanceTimersByTimeAsync(10_000)
  setOnline(true)
  await jest.advanceTimersByTimeAsync(2999)
  expect(messages()).toEqual(['Connected again.'])
  await jest.advanceTimersByTimeAsync(1)
  expect(messages()).toEqual([])
})

it('ERR-42: the status bar reads Upload failed and gives details', async () => {
  const alert = jest.spyOn(window, 'alert').mockImplementation(() => undefined)
  fakePictureWorker(() => 'not_prepared')
  const { picker, target, add } = openPicker()
  add()
  await picker.upload()
  const bar = await waitFor(() => within(target.querySelector('.uppy-StatusBar.is-error') as HTMLElement))
  expect(bar.getByText('Upload failed')).toBeTruthy()
  await userEvent.click(bar.getByRole('button', { name: 'Show error details' }))
  expect(alert.mock.calls[0]?.[0]).toContain('This file could not be prepared.')
  alert.mockRestore()
})

it('ERR-43: an upload that is not known is a Nonexistent upload', async () => {
  await expect(openPicker().picker.restore('unknown')).rejects.toThrow('Nonexistent upload')
})

it('a chosen picture gets a preview, asked for once', async () => {
  const asked = fakePictureWorker()
  const { picker, add } = openPicker()
  const id = add()
  await waitFor(() => expect(picker.getFile(id).preview).toMatch(/^blob:/))
  expect(asked.map(({ step }) => step)).toEqual(['preview'])
})

it('ERR-44: a preview that cannot be made is passed over in silence', async () => {
  const asked = fakePictureWorker((request) =>
    request.step === 'preview' ? 'damaged' : answerOfWorker(request),
  )
  const { picker, target, messages, add } = openPicker()
  const id = add()
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(await within(target).findByText('holiday.jpg')).toBeTruthy()
  expect(picker.getFile(id)).toMatchObject({ preview: undefined, progress: { uploadStarted: null } })
  expect(picker.getState().error).toBeNull()
  expect(messages()).toEqual([])
})

it('LIM-06: an error stays for 5000 ms, and what is only said for 3000 ms', async () => {
  jest.useFakeTimers()
  const { picker, messages } = openPicker({ restrictions: { allowedFileTypes: ['image/*'] } })
  picker.addFiles(wrongFiles(1))
  await jest.advanceTimersByTimeAsync(4999)
  expect(messages()).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(messages()).toEqual([])
  picker.info('Said')
  await jest.advanceTimersByTimeAsync(2999)
  expect(messages()).toEqual(['Said'])
  await jest.advanceTimersByTimeAsync(1)
  expect(messages()).toEqual([])
})
