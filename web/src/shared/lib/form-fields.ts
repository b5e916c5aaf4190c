export const textOf = (form: HTMLFormElement, name: string): string => {
  const field = form.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field.value : ''
}

export function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.focus()
}

/** The faults that are left of those shown; a field that became right loses its fault while the person types. */
export const stillFaulty = <Faults extends object>(shown: Faults, present: Faults): Faults =>
  Object.fromEntries(Object.entries(present).filter(([name]) => name in shown)) as Faults
