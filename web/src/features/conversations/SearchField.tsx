import { cx } from '../../shared/lib/cx.ts'
import { SearchIcon } from '../../shared/ui/icons.tsx'
import { inputClass } from '../../shared/ui/TextField.tsx'

export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <div className="relative px-4 py-3">
      <SearchIcon size={18} className="pointer-events-none absolute inset-y-0 left-8 my-auto text-ink-2" />
      <input
        type="search"
        aria-label="Search conversations"
        placeholder="Search"
        autoComplete="off"
        value={value}
        className={cx(inputClass, 'pl-11 [&::-webkit-search-cancel-button]:grayscale')}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
