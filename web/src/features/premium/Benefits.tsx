import { CheckIcon } from '../../shared/ui/icons.tsx'

const lines = [
  'Unlimited messages, every day',
  'The person you write to can answer without limit, too',
  'A year of 365 days; nothing renews by itself',
]

/** Lists the benefits of a year of premium. */
export function Benefits() {
  return (
    <ul className="space-y-2">
      {lines.map((line) => (
        <li key={line} className="flex gap-3">
          <CheckIcon className="mt-0.5 shrink-0 text-accent" />
          {line}
        </li>
      ))}
    </ul>
  )
}
