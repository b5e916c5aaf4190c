import { Notice } from '../../shared/ui/Notice.tsx'

/** Warns that the partner's key has changed, or that the server no longer shows it. */
export function KeyNotice({ name, state }: { name: string; state: 'changed' | 'missing' }) {
  return (
    <div role="status" className="mx-auto w-full max-w-190 px-3 pb-2">
      {state === 'changed' ? (
        <Notice kind="warning">
          {name}’s security code changed. This happens when {name} resets the app or makes new keys. What you
          write now uses the new code.
        </Notice>
      ) : (
        <Notice kind="error">
          The server does not show {name}’s key any more. Messages fail until it does; then tap Try again.
        </Notice>
      )}
    </div>
  )
}
