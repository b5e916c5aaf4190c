import * as Tooltip from '@radix-ui/react-tooltip'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import type { IconButtonProps } from './Button.tsx'

/** Around the screens with tooltips: one opens after 700 ms, the next one within 300 ms at once. */
export function Tooltips({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Tooltip.Provider>
  )
}

/** An icon button that shows its label while the pointer rests on it or the keyboard is on it. */
export function TipButton(props: IconButtonProps) {
  return (
    <Tooltip.Root disableHoverableContent>
      <Tooltip.Trigger asChild>
        <IconButton {...props} />
      </Tooltip.Trigger>
      {/* Inside of what a cover takes out of the document. */}
      <Tooltip.Portal container={document.getElementById('root')}>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 rounded-lg bg-ink px-2.5 py-1.5 text-xs text-canvas shadow-lg"
        >
          {props.label}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
