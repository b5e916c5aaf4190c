import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { useEffect, useRef } from 'react'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { isComposing } from '../../shared/lib/is-composing.ts'

export interface CodeBoxesProps {
  digits: readonly string[]
  onChange: (digits: string[]) => void
  onEnter: () => void
  isReadOnly: boolean
  /** The id of the element that explains what is wrong with the code. */
  faultId: string | undefined
}

/**
 * Shows one box per digit: typing moves forward, Backspace in an empty box moves back, and a pasted code fills all
 * boxes.
 */
export function CodeBoxes({ digits, onChange, onEnter, isReadOnly, faultId }: CodeBoxesProps) {
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  const focus = (index: number) => boxes.current[index]?.focus()

  const isEmpty = digits.every((digit) => digit === '')
  useEffect(() => {
    if (isEmpty) focus(0)
  }, [isEmpty])

  const put = (from: number, text: string) => {
    const typed = decimalDigits(text)
      .replace(/\D/g, '')
      .slice(0, digits.length - from)
    const next = [...digits]
    if (text === '') next[from] = ''
    for (const [offset, digit] of [...typed].entries()) next[from + offset] = digit
    onChange(next)
    if (typed !== '') focus(Math.min(from + typed.length, digits.length - 1))
  }
  const onKeyDown = (index: number, event: KeyboardEvent) => {
    if (event.key === 'Backspace' && digits[index] === '' && index > 0) {
      event.preventDefault()
      focus(index - 1)
    } else if (event.key === 'Enter' && !isComposing(event.nativeEvent)) {
      event.preventDefault()
      onEnter()
    }
  }
  const onPaste = (index: number, event: ClipboardEvent) => {
    event.preventDefault()
    if (!isReadOnly) put(index, event.clipboardData.getData('text'))
  }

  return (
    <div role="group" aria-label="Verification code" dir="ltr" className="flex justify-between gap-2">
      {digits.map((digit, index) => (
        <input
          key={index}
          ref={(box) => {
            boxes.current[index] = box
          }}
          value={digit}
          readOnly={isReadOnly}
          inputMode="numeric"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          aria-label={`Digit ${index + 1}`}
          aria-invalid={faultId !== undefined}
          aria-describedby={faultId}
          // The limit is not 1, because a phone fills the whole code of an SMS into the first box.
          maxLength={digits.length - index}
          onChange={(event) => put(index, event.target.value)}
          onKeyDown={(event) => onKeyDown(index, event)}
          onPaste={(event) => onPaste(index, event)}
          onFocus={(event) => event.target.select()}
          className="h-14 w-full min-w-0 rounded-xl border border-control bg-surface text-center text-xl font-semibold tabular-nums aria-invalid:border-danger"
        />
      ))}
    </div>
  )
}
