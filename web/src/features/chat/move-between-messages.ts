/** Lets arrow keys move the focus between the messages of a list, starting at its end. Enter acts like a tap. */
export function moveBetweenMessages(event: KeyboardEvent, list: HTMLElement): void {
  if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.matches('article'))
    event.target.click()
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
  const messages = [...list.querySelectorAll<HTMLElement>('article')]
  const at = messages.indexOf(document.activeElement as HTMLElement)
  if (at === -1 && event.target !== list) return
  const next = event.key === 'ArrowUp' ? (at === -1 ? messages.at(-1) : messages[at - 1]) : messages[at + 1]
  if (!next) return
  event.preventDefault()
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}
