import type { LucideIcon, LucideProps } from 'lucide-react'

/** Gives all icons one size and stroke. */
export const icon = (Shape: LucideIcon) =>
  function Icon(props: LucideProps) {
    return <Shape size={22} strokeWidth={1.75} aria-hidden {...props} />
  }
