import { OpenLockIcon } from '../../shared/ui/icons.tsx'
import { KeyNotice } from './KeyNotice.tsx'
import { useTrust } from '../delivery/use-sealed.ts'

/**
 * Warns above the composer that messages are not sealed, that the partner has another key, or that the server hides the
 * partner's key.
 */
export function SealingNotice({ id, name }: { id: string; name: string }) {
  const trust = useTrust(id)
  if (trust.state === 'changed' || trust.state === 'missing')
    return <KeyNotice name={name} state={trust.state} />
  if (trust.state === 'no-partner-key') return <Plain text={`Not encrypted: ${name} has no keys yet`} />
  if (trust.state !== 'no-own-key') return null
  return (
    <Plain
      text={
        trust.isLost
          ? 'Not encrypted: your keys do not open here. Settings offers new keys.'
          : 'Not encrypted: this browser has not seen your number'
      }
    />
  )
}

function Plain({ text }: { text: string }) {
  return (
    <p className="flex items-center justify-center gap-1.5 px-4 pt-1 pb-1.5 text-center text-xs text-ink-2">
      <OpenLockIcon size={14} className="shrink-0" />
      {text}
    </p>
  )
}
