import { DownIcon } from '../../shared/ui/icons.tsx'

/** Leads to the end of a chat, and says how many messages below were not on the screen yet. */
export function EndButton({ count, onGo }: { count: number; onGo: () => void }) {
  return (
    <button
      type="button"
      onClick={onGo}
      className="absolute right-4 bottom-3 inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-full border border-line bg-surface px-3 text-sm font-medium shadow-lg"
    >
      <DownIcon size={18} />
      {count > 0 ? `${count} new` : <span className="sr-only">Newest messages</span>}
    </button>
  )
}
