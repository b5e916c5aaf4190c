import { HiddenDisplay } from '../calculator/Display.tsx'

export interface PasswordDisplayProps {
  count: number
  isChecking: boolean
}

/** Shows a dot for each digit in password mode. */
export function PasswordDisplay({ count, isChecking }: PasswordDisplayProps) {
  return <HiddenDisplay count={count} label="Entry" caption="Enter Password" isChecking={isChecking} />
}
