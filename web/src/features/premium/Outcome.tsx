import type { ReactNode } from 'react'

export interface OutcomeProps {
  icon: ReactNode
  title: string
  /** This text says what the payment changed. */
  text?: ReactNode
  isGood?: boolean
  /** The children are the buttons for the next step. */
  children: ReactNode
}

/** Shows how a payment ended. */
export function Outcome({ icon, title, text, isGood = false, children }: OutcomeProps) {
  return (
    <>
      <div className="flex flex-col items-center gap-3 text-center">
        <span
          className={`flex size-16 items-center justify-center rounded-full ${isGood ? 'bg-accent-soft text-accent' : 'bg-surface-2 text-ink-2'}`}
        >
          {icon}
        </span>
        <h2 className="text-xl font-semibold">{title}</h2>
        {text && <div className="text-ink-2">{text}</div>}
      </div>
      <div className="mt-5 space-y-2">{children}</div>
    </>
  )
}
