import { HiddenDisplay } from '../calculator/Display.tsx'

export interface PasswordDisplayProps {
  /** How many digits were typed. */
  count: number
  isChecking: boolean
}

/** The display in password mode. */
export function PasswordDisplay({ count, isChecking }: PasswordDisplayProps) {
  return <HiddenDisplay count={count} label="Entry" caption="Enter Password" isChecking={isChecking} />
}
