import { fireEvent, render, screen } from '../../../test/render.tsx'
import { useState } from 'react'
import { Dialog } from './Dialog.tsx'

/** A button of the page, and a dialog over it. */
function Page({ onPress, isSheet = false }: { onPress: () => void; isSheet?: boolean }) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <>
      <button onClick={onPress}>Beneath</button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Above" isSheet={isSheet}>
        <input aria-label="Field" />
      </Dialog>
    </>
  )
}
const dialog = () => screen.queryByRole('dialog')
/** Fires the events of a tap as a browser does, each at the element that is on top at that moment. */
const tapBeside = () => {
  for (const fire of [fireEvent.pointerDown, fireEvent.pointerUp, fireEvent.mouseDown, fireEvent.mouseUp])
    fire(dialog() ?? screen.getByRole('button', { name: 'Beneath' }))
  fireEvent.click(dialog() ?? screen.getByRole('button', { name: 'Beneath' }))
}

it.each([false, true])(
  'a tap beside a dialog closes it and presses nothing beneath (sheet: %s)',
  (isSheet) => {
    let presses = 0
    render(<Page onPress={() => (presses += 1)} isSheet={isSheet} />)
    tapBeside()
    expect(dialog()).toBeNull()
    expect(presses).toBe(0)
  },
)

it('a drag that ends beside the dialog, such as of a selection, does not close it', () => {
  render(<Page onPress={() => undefined} />)
  fireEvent.pointerDown(screen.getByLabelText('Field'))
  fireEvent.pointerUp(dialog() as HTMLElement)
  fireEvent.click(dialog() as HTMLElement)
  expect(dialog()).toBeTruthy()
})
