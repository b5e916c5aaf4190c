import { useRef } from 'react'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { usePage } from '../../page.ts'
import { copyWithToast } from './copy-with-toast.ts'
import { CopyIcon } from './icons.tsx'
import { codeClass } from './name-classes.ts'
import { TipButton } from './TipButton.tsx'

interface CopyableCodeProps {
  code: string
  className?: string
  /** These buttons stand before the copy button. */
  children?: ReactNode
}

/** Shows the person's own code with a button that copies it. */
export function CopyableCode({ code, className = 'text-xl', children }: CopyableCodeProps) {
  const { toasts } = usePage()
  const shown = useRef<HTMLParagraphElement>(null)
  const copy = () =>
    void copyWithToast(toasts, { text: code, shown: shown.current, done: 'Your user code has been copied' })
  return (
    <div className="flex items-center justify-between gap-2">
      <p ref={shown} className={cx(codeClass, 'min-w-0', className)}>
        {code}
      </p>
      <div className="flex shrink-0">
        {children}
        <TipButton label="Copy code" onClick={copy}>
          <CopyIcon />
        </TipButton>
      </div>
    </div>
  )
}
