/** Maps each faulty field to a sentence; `form` concerns the whole form. */
export type Faults<Name extends string> = Partial<Record<Name | 'form', string | undefined>>

export const textOf = (form: HTMLFormElement, name: string): string => {
  const field = form.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field.value : ''
}

export function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.focus()
}

/**
 * Returns the shown faults that still exist, so that a field loses its fault while the person corrects it. New faults
 * appear only when the form is sent.
 */
export const stillFaulty = <Name extends string>(shown: Faults<Name>, present: Faults<Name>): Faults<Name> =>
  Object.fromEntries(
    Object.entries(present).filter(([name]) => name !== 'form' && shown[name as Name] !== undefined),
  ) as Faults<Name>
