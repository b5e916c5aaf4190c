/** Shows grey bars in the shape of rows, but only after 200 ms, so that a short wait does not flicker. */
export function RowSkeletons({ count = 6 }: { count?: number }) {
  return (
    <div aria-hidden className="late">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex h-18 items-center gap-3 px-4">
          <span className="size-12 rounded-full bg-surface-2" />
          <span className="flex-1 space-y-2">
            <span className="block h-3.5 w-2/5 rounded bg-surface-2" />
            <span className="block h-3 w-4/5 rounded bg-surface-2" />
          </span>
        </div>
      ))}
    </div>
  )
}
