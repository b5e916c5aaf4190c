import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { WarningIcon } from '../../shared/ui/icons.tsx'
import { isCommonPin } from './common-pin.ts'
import { PinField } from './PinField.tsx'
import type { PinFault } from './pin-fault.ts'

export interface NewPin {
  pin: string
  confirmation: string
}

interface NewPinFieldsProps {
  /** The label of the first field. */
  label: string
  value: NewPin
  fault: PinFault | null
  onChange: (value: NewPin) => void
}

/** A new number and its repetition; a common number gets a note. */
export function NewPinFields({ label, value, fault, onChange }: NewPinFieldsProps) {
  const errorOf = (field: keyof NewPin) => (fault?.field === field ? fault.description : undefined)
  return (
    <>
      <div>
        <PinField
          name="pin"
          label={label}
          hint={`${limits.pinMinLength} to ${limits.pinMaxLength} digits`}
          value={value.pin}
          error={errorOf('pin')}
          onChange={(pin) => onChange({ ...value, pin })}
        />
        <p role="status" className="mt-1.5 flex gap-1.5 text-sm text-warn empty:hidden">
          {isCommonPin(value.pin) && (
            <>
              <WarningIcon size={16} className="mt-0.5 shrink-0" />
              Many people choose this number. One that is harder to guess is safer.
            </>
          )}
        </p>
      </div>
      <PinField
        name="confirmation"
        label="Confirm Numeric Password"
        value={value.confirmation}
        error={errorOf('confirmation')}
        onChange={(confirmation) => onChange({ ...value, confirmation })}
      />
    </>
  )
}
