import { useRef, useState } from 'react'
import type { InputEvent, SubmitEvent } from 'react'
import { useRules } from './field-rules.ts'
import { focusField, stillFaulty, textOf } from './form-fields.ts'
import type { Faults } from './form-fields.ts'

type Values<Name extends string> = Record<Name, string>

export interface FormOptions<Name extends string, Rules> {
  /** The names of the fields in the order of the screen. */
  fields: readonly Name[]
  /** Loads the contract's rules of the fields. */
  load?: () => Promise<Rules>
  /** The rules of a form that is not shown are not loaded yet. */
  isHidden?: boolean
  check: (values: Values<Name>, rules: Rules) => Faults<Name>
  /** Rejects if the form was refused. */
  send: (values: Values<Name>, rules: Rules) => unknown
  /** Receives the first fault if `check` keeps the form from being sent. */
  onFault?: (sentence: string, name: Name | 'form') => void
  /**
   * Maps a refusal to faults; it is used only if the server names no fields. Without this function, the sentence
   * concerns the whole form.
   */
  refused?: (sentence: string, error: unknown) => Faults<Name>
  /** The form shows this sentence if a refusal has none. */
  fallback?: string
}

/** Describes the part of a refused call that a form needs. */
type Refusal = { sentence?: string; fields?: Record<string, string> }

/**
 * Handles a form: checks it, sends it once at a time, and shows why it was refused. A fault is shown at its field, or
 * in `faults.form` if it concerns the whole form; the first faulty field gets the focus. A field loses its fault once
 * it is corrected, and `faults.form` disappears at any input.
 */
export function useForm<Name extends string, Rules = object>(options: FormOptions<Name, Rules>) {
  const { fields, load, isHidden = false, check, send, onFault, fallback = 'Please try again.' } = options
  const { refused = (form: string) => ({ form }) as Faults<Name> } = options
  const ref = useRef<HTMLFormElement>(null)
  const rules = useRules(load ?? (() => Promise.resolve({} as Rules)), isHidden)
  const isSending = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [faults, setFaults] = useState<Faults<Name>>({})

  const read = (form: HTMLFormElement) =>
    Object.fromEntries(fields.map((name) => [name, textOf(form, name)])) as Values<Name>
  const refuse = (found: Faults<Name>) => {
    setFaults(found)
    const first = ([...fields, 'form'] as const).find((name) => found[name] !== undefined)
    if (first !== undefined) focusField(ref.current, first)
    return first
  }
  const fail = (error: unknown) => {
    const { sentence = '', fields: told = {} } = Object(error) as Refusal
    const named = fields.filter((name) => told[name]).map((name) => [name, told[name]])
    const found = refused(sentence || fallback, error)
    refuse(named.length > 0 ? (Object.fromEntries(named) as Faults<Name>) : found)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget } = event
    if (isSending.current) return
    isSending.current = true
    setIsBusy(true)
    try {
      const loaded = await rules.get()
      const values = read(currentTarget)
      const found = check(values, loaded)
      const faulty = refuse(found)
      if (faulty === undefined) await send(values, loaded)
      else onFault?.(found[faulty] ?? '', faulty)
    } catch (error) {
      fail(error)
    } finally {
      isSending.current = false
      setIsBusy(false)
    }
  }
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => void submit(event)
  const onInput = ({ currentTarget }: InputEvent<HTMLFormElement>) => {
    const { current } = rules.loaded
    const present = current ? check(read(currentTarget), current) : {}
    setFaults((shown) => stillFaulty(shown, present))
  }
  const field = (name: Name) => ({ name, error: faults[name] })
  return { props: { ref, noValidate: true, onSubmit, onInput }, field, faults, isBusy, refuse, fail }
}

export type Form<Name extends string> = ReturnType<typeof useForm<Name>>
