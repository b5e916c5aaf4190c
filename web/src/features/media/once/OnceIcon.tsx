interface OnceIconProps {
  size?: number
  isOpened?: boolean
  className?: string
}

/** A 1 in a ring, which is broken once the message was opened. */
export function OnceIcon({ size = 22, isOpened = false, className }: OnceIconProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
    >
      <circle cx="12" cy="12" r="9" {...(isOpened && { strokeDasharray: '2.2 3.45' })} />
      <path d="M10.25 9.5 12.5 8v8" />
    </svg>
  )
}
