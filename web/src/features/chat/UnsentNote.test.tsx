import { act, render, screen } from '../../../test/render.tsx'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { SessionContext, useSession } from '../../page.ts'
import { UnsentNote } from './UnsentNote.tsx'

function WithUnsent({
  unsent,
}: {
  unsent: { isFull: boolean; subscribe: (listener: () => void) => () => void }
}) {
  return (
    <SessionContext value={{ ...useSession(), unsent }}>
      <UnsentNote />
    </SessionContext>
  )
}

it('the chat says that unsent text does not fit on the device, what to do, and only while that is so', async () => {
  const { Wrapper } = await fakeMessaging()
  const listeners = new Set<() => void>()
  const unsent = {
    isFull: true,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  render(<WithUnsent unsent={unsent} />, { wrapper: Wrapper })
  expect(screen.getByRole('status').textContent).toBe(
    'Not all of your unsent text can be kept on this device. Send or shorten it before you leave, or it is lost.',
  )
  unsent.isFull = false
  act(() => listeners.forEach((listener) => listener()))
  expect(screen.getByRole('status').textContent).toBe('')
})
