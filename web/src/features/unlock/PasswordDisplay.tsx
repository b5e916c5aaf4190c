import { HiddenDisplay, NumberDisplay } from '../calculator/Display.tsx'

export interface PasswordDisplayProps {
  /** How many digits were typed. */
  count: number
  isChecking: boolean
  /** Shows only the dots, in the place of the number, so that it looks like an ordinary calculation. */
  isDiscreet: boolean
}

/** The display in password mode. */
export function PasswordDisplay({ count, isChecking, isDiscreet }: PasswordDisplayProps) {
  if (isDiscreet && count === 0) return <NumberDisplay expression="" display="0" />
  return (
    <HiddenDisplay
      count={count}
      label={isDiscreet ? 'Result' : 'Entry'}
      caption={isDiscreet ? undefined : 'Enter Password'}
      isChecking={isChecking}
    />
  )
}
