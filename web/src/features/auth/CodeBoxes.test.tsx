import { cleanup, fireEvent, render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { CodeBoxes } from './CodeBoxes.tsx'

function Form({ onEnter }: { onEnter: () => void }) {
  const [digits, setDigits] = useState(['', '', '', '', '', ''])
  return (
    <CodeBoxes
      digits={digits}
      onChange={setDigits}
      onEnter={onEnter}
      isReadOnly={false}
      faultId={undefined}
    />
  )
}

function show() {
  let submits = 0
  render(<Form onEnter={() => (submits += 1)} />)
  const boxes = screen.getAllByRole<HTMLInputElement>('textbox')
  return {
    first: boxes[0] as HTMLInputElement,
    code: () => boxes.map(({ value }) => value).join(''),
    submits: () => submits,
  }
}

it('Enter that ends a word of an input method checks no code', () => {
  const { first, submits } = show()
  fireEvent.keyDown(first, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(first, { key: 'Enter', keyCode: 229 })
  expect(submits()).toBe(0)
  fireEvent.keyDown(first, { key: 'Enter', keyCode: 13 })
  expect(submits()).toBe(1)
})

it.each(['١٢٣٤٥٦', '۱۲۳۴۵۶', '१२३४५६', '１２３４５６'])(
  'digits of any script fill the boxes, typed or pasted: %s',
  async (text) => {
    const { first, code } = show()
    await userEvent.type(first, text)
    expect(code()).toBe('123456')
    cleanup()
    const again = show()
    await userEvent.click(again.first)
    await userEvent.paste(text)
    expect(again.code()).toBe('123456')
  },
)
