import type { ComponentProps } from 'react'
import { MessageBox } from '../MessageBox.tsx'

/** Gets the focus only with a mouse, because the keyboard of a phone would cover the picture. */
export function CaptionBox({ onEnter, ...rest }: ComponentProps<'textarea'> & { onEnter: () => void }) {
  return (
    <MessageBox
      ref={(box) => {
        if (!window.matchMedia('(pointer: coarse)').matches) box?.setAttribute('autofocus', '')
      }}
      aria-label="Caption"
      placeholder="Add a caption"
      onEnter={(event) => {
        event.preventDefault()
        onEnter()
      }}
      {...rest}
    />
  )
}
