import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from './use-form.ts'
import type { FormOptions } from './use-form.ts'

interface Rules {
  longest: number
}
type Options = FormOptions<'name' | 'city', Rules>

const rules = () => Promise.resolve({ longest: 5 })
const check: Options['check'] = ({ name, city }, { longest }) => ({
  name: name === '' ? 'Enter a name.' : name.length > longest ? 'Too long.' : undefined,
  city: city === '' ? 'Enter a city.' : undefined,
})

function Form(options: Partial<Options>) {
  const form = useForm<'name' | 'city', Rules>({
    fields: ['name', 'city'],
    load: rules,
    check,
    send: () => Promise.resolve(),
    ...options,
  })
  return (
    <form {...form.props} aria-label="Form" aria-busy={form.isBusy}>
      {(['name', 'city'] as const).map((key) => {
        const { name, error } = form.field(key)
        return <input key={name} name={name} aria-label={name} title={error ?? ''} />
      })}
      <button type="submit">Send</button>
      <p role="status">{form.faults.form}</p>
    </form>
  )
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const faults = () => [field('name').title, field('city').title]
const failure = () => screen.getByRole('status').textContent
const form = () => screen.getByRole('form')
const isBusy = () => form().getAttribute('aria-busy') === 'true'
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))
async function fill(name: string, city: string) {
  await userEvent.type(field('name'), name)
  await userEvent.type(field('city'), city)
}

describe('a form with faulty fields', () => {
  it('shows all faults, focuses the first faulty field, and is not sent', async () => {
    const sent: unknown[] = []
    const noted: string[] = []
    render(
      <Form
        send={(values) => sent.push(values)}
        onFault={(sentence, name) => noted.push(`${name}: ${sentence}`)}
      />,
    )
    await userEvent.type(field('name'), 'Ada')
    await send()
    expect(faults()).toEqual(['', 'Enter a city.'])
    expect(document.activeElement).toBe(field('city'))
    expect(noted).toEqual(['city: Enter a city.'])
    expect(sent).toEqual([])
  })

  it('keeps a fault until its field is corrected, and shows no new ones before', async () => {
    render(<Form />)
    await userEvent.type(field('name'), 'Ada Lovelace')
    await userEvent.type(field('city'), 'London')
    await send()
    expect(faults()).toEqual(['Too long.', ''])
    await userEvent.clear(field('city'))
    await userEvent.type(field('name'), '{Backspace}')
    expect(faults()).toEqual(['Too long.', ''])
    await userEvent.clear(field('name'))
    await userEvent.type(field('name'), 'Ada')
    expect(faults()).toEqual(['', ''])
  })
})

it('a fault of the form as a whole vanishes with any input, also while the check still finds it', async () => {
  render(<Form check={() => ({ form: 'Nothing has changed.' })} />)
  await send()
  expect(failure()).toBe('Nothing has changed.')
  await userEvent.type(field('name'), 'A')
  expect(failure()).toBe('')
})

describe('a form without faults', () => {
  it('is sent once, however often it is submitted until the answer, and may then be sent again', async () => {
    const sent: unknown[] = []
    let answer: (answered: unknown) => void = () => undefined
    let load: (rules: Rules) => void = () => undefined
    const loading = new Promise<Rules>((resolve) => (load = resolve))
    render(
      <Form
        load={() => loading}
        send={(values) => {
          sent.push(values)
          return new Promise((resolve) => (answer = resolve))
        }}
      />,
    )
    await fill('Ada', 'London')
    fireEvent.submit(form())
    fireEvent.submit(form())
    load({ longest: 5 })
    await waitFor(() => expect(sent.length).toBeGreaterThan(0))
    await userEvent.type(field('city'), '{Enter}{Enter}')
    expect(sent).toEqual([{ name: 'Ada', city: 'London' }])
    expect(isBusy()).toBe(true)
    answer(undefined)
    await waitFor(() => expect(isBusy()).toBe(false))
    await send()
    expect(sent).toHaveLength(2)
  })

  it('says that there is no connection while the rules cannot be loaded, and loads them at the next submit', async () => {
    const sent: unknown[] = []
    let isOnline = false
    const load = () => (isOnline ? rules() : Promise.reject(new Error('offline')))
    render(<Form load={load} send={(values) => sent.push(values)} />)
    await fill('Ada', 'London')
    await send()
    expect(failure()).toBe('No connection. Please try again.')
    expect(sent).toEqual([])
    isOnline = true
    await send()
    expect(failure()).toBe('')
    expect(sent).toHaveLength(1)
  })
})

describe('a form that the server refuses', () => {
  const refuse = (error: object) => () => Promise.reject(Object.assign(new Error('refused'), error))

  it('shows the sentence of each field that the server names, and focuses the first', async () => {
    render(
      <Form send={refuse({ sentence: 'Bad request.', fields: { city: 'No such city.', zip: 'Bad.' } })} />,
    )
    await fill('Ada', 'Londen')
    await send()
    expect(faults()).toEqual(['', 'No such city.'])
    expect(failure()).toBe('')
    expect(document.activeElement).toBe(field('city'))
  })

  it.each([
    ['the sentence of the server', { sentence: 'Busy. Try again.' }, 'Busy. Try again.'],
    ['its own sentence where the server has none', {}, 'Not saved.'],
  ])('shows %s, until something is typed', async (_which, error, sentence) => {
    render(<Form send={refuse(error)} fallback="Not saved." />)
    await fill('Ada', 'London')
    await send()
    expect(failure()).toBe(sentence)
    expect(isBusy()).toBe(false)
    await userEvent.type(field('city'), '!')
    expect(failure()).toBe('')
  })

  it('lets its owner give the refusal to a field', async () => {
    render(<Form send={refuse({ sentence: 'Taken.' })} refused={(sentence) => ({ name: sentence })} />)
    await fill('Ada', 'London')
    await send()
    expect(faults()).toEqual(['Taken.', ''])
    expect(document.activeElement).toBe(field('name'))
  })
})
