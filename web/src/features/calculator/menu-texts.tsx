import { ContactAddress, WithContacts } from '../../shared/ui/ContactAddress.tsx'
import { legalScope } from '../legal/legal-scope.ts'
import { LegalLinks } from '../legal/LegalLinks.tsx'

export function HelpText() {
  return (
    <WithContacts>
      <div className="space-y-3">
        <p>
          C clears the current calculation. Swipe sideways over the number, or use the arrow key under it, to
          delete the last digit.
        </p>
        <p>
          = once more repeats the last step: 2 + 3 = = gives 8. Tap an earlier calculation to use its result
          again, hold it to copy the result.
        </p>
        <p>Keys are worked off in the order you press them: 2 + 3 × 4 gives 20.</p>
        <p>After + or −, % takes a part of the first number: 200 + 10 % gives 220.</p>
        <p>
          Something not adding up? Write to <ContactAddress to="support" />.
        </p>
      </div>
    </WithContacts>
  )
}

export function AboutText() {
  return (
    <div className="space-y-3">
      <p>A plain calculator that is exact with decimals and keeps a tape of what you worked out.</p>
      <p className="text-ink-2">Results show up to twelve significant digits.</p>
      <LegalLinks className="-ml-2" scope={legalScope()} />
    </div>
  )
}
