import { useTrust } from '../delivery/use-sealed.ts'

/** Stands in place of the messages of a conversation that has none. */
export function EmptyChat({ id, name }: { id: string; name: string }) {
  const trust = useTrust(id)
  return (
    <>
      Say hello.
      {trust.state === 'sealed' && !trust.isVerified && (
        <p className="mt-2 text-sm">
          Your text is sealed for {name}. To be sure that it is {name}, compare the security code in the
          conversation options.
        </p>
      )}
    </>
  )
}
