import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { useState } from 'react'
import { WarningIcon } from '../../shared/ui/icons.tsx'
import { isCommonPin } from './common-pin.ts'
import type { NewPinFaults } from './new-pin-faults.ts'
import { PinField } from './PinField.tsx'

interface NewPinFieldsProps {
  /** The first field has this label; the label of the second is fixed. */
  label: string
  faults: NewPinFaults
}

/** Shows fields for a new number and its repetition. A number that many people choose gets a warning. */
export function NewPinFields({ label, faults }: NewPinFieldsProps) {
  const [isCommon, setIsCommon] = useState(false)
  return (
    <>
      <div>
        <PinField
          name="pin"
          label={label}
          hint={`${limits.pinMinLength} to ${limits.pinMaxLength} digits`}
          error={faults.pin}
          onDigits={(pin) => setIsCommon(isCommonPin(pin))}
        />
        <p role="status" className="mt-1.5 flex gap-1.5 text-sm text-warn empty:hidden">
          {isCommon && (
            <>
              <WarningIcon size={16} className="mt-0.5 shrink-0" />
              Many people choose this number. One that is harder to guess is safer.
            </>
          )}
        </p>
      </div>
      <PinField name="confirmation" label="Confirm Security Password" error={faults.confirmation} />
    </>
  )
}
