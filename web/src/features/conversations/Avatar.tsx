const looks = [
  'bg-sky-700',
  'bg-emerald-700',
  'bg-amber-700',
  'bg-rose-700',
  'bg-violet-700',
  'bg-teal-700',
] as const

/** Shows the first letter of a name on a colour that depends on the name only. */
export function Avatar({ name, size = 'size-12' }: { name: string; size?: 'size-10' | 'size-12' }) {
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return (
    <span
      aria-hidden
      className={`inline-flex shrink-0 items-center justify-center rounded-full text-lg font-semibold text-white ${size} ${looks[sum % looks.length]}`}
    >
      {[...name][0]?.toUpperCase()}
    </span>
  )
}
