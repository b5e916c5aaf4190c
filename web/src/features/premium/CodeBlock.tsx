import { useRef } from 'react'
import { usePage } from '../../page.ts'
import { copyWithToast } from '../../shared/ui/copy-with-toast.ts'
import { CopyIcon } from '../../shared/ui/icons.tsx'
import { codeClass } from '../../shared/ui/name-classes.ts'
import { TipButton } from '../../shared/ui/TipButton.tsx'

/** Shows an upgrade code to hand over. On a narrow screen the code breaks only in its middle. */
export function CodeBlock({ code }: { code: string }) {
  const { toasts } = usePage()
  const shown = useRef<HTMLElement>(null)
  const copy = () =>
    void copyWithToast(toasts, { text: code, shown: shown.current, done: 'The upgrade code has been copied' })
  return (
    <div className="flex items-center justify-between gap-2 rounded-xl border border-line bg-canvas px-4 py-1">
      <code ref={shown} className={`${codeClass} min-w-0 font-sans text-lg`}>
        {code}
      </code>
      <TipButton label="Copy upgrade code" onClick={copy}>
        <CopyIcon />
      </TipButton>
    </div>
  )
}
