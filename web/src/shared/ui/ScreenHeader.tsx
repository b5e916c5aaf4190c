import type { ReactNode } from 'react'
import { BackIcon } from './icons.tsx'
import { ScreenTitle } from './ScreenTitle.tsx'
import { TipButton } from './TipButton.tsx'

export interface ScreenHeaderProps {
  title: ReactNode
  back?: { label: string; onBack: () => void }
  /** These buttons stand at the right. */
  children?: ReactNode
}

/** A narrow window limits the size, so that no word breaks when the text is enlarged. */
export const screenTitleClass =
  'min-w-0 flex-1 text-[min(1.25rem,9vw)]/[1.4] font-semibold wrap-anywhere first:pl-2'

/** Shows the bar at the top of a screen: 56 px high, below the safe area. */
export function ScreenHeader({ title, back, children }: ScreenHeaderProps) {
  return (
    <div className="sticky top-0 z-10 border-b border-line bg-canvas pt-[env(safe-area-inset-top)]">
      <div className="flex min-h-14 items-center gap-1 px-2">
        {back && (
          <TipButton label={back.label} onClick={back.onBack}>
            <BackIcon />
          </TipButton>
        )}
        {typeof title === 'string' ? <ScreenTitle className={screenTitleClass}>{title}</ScreenTitle> : title}
        {children}
      </div>
    </div>
  )
}
