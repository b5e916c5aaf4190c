import * as Tooltip from '@radix-ui/react-tooltip'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import type { IconButtonProps } from './Button.tsx'

/**
 * Sets the delays of the tooltips inside: the first one opens after 700 ms, and another one within the next 300 ms
 * opens at once.
 */
export function Tooltips({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Tooltip.Provider>
  )
}

/** Shows an icon button whose label appears while the button has the pointer or the keyboard focus. */
export function TipButton(props: IconButtonProps) {
  return (
    <Tooltip.Root disableHoverableContent>
      <Tooltip.Trigger asChild>
        <IconButton {...props} />
      </Tooltip.Trigger>
      {/* The tooltip is rendered inside `#root`, because the cover removes this element from the document. */}
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
