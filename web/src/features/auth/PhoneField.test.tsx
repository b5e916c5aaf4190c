import { fireEvent, render, screen, waitFor } from '../../../test/render.tsx'
import { PhoneField } from './PhoneField.tsx'

const renderField = () => {
  render(<PhoneField name="phone" error={undefined} />)
  return screen.getByLabelText<HTMLInputElement>('Phone Number')
}
const type = (field: HTMLInputElement, value: string) => fireEvent.input(field, { target: { value } })

it('a number that is typed before the formatter is loaded is formatted then, and takes no focus', async () => {
  const field = renderField()
  type(field, '+15553240110')
  expect(field.value).toBe('+15553240110')
  await waitFor(() => expect(field.value).toBe('+1 555 324 0110'))
  expect(document.activeElement).not.toBe(field)
})

it('the caret stays behind the digit that was typed, also while the formatter is loaded', async () => {
  const field = renderField()
  field.focus()
  type(field, '+15553240110')
  field.setSelectionRange(5, 5)
  await waitFor(() => expect(field.value).toBe('+1 555 324 0110'))
  expect(field.selectionStart).toBe('+1 555'.length)
})
