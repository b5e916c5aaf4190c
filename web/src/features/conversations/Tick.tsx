import { cx } from '../../shared/lib/cx.ts'
import { CheckIcon, ReadIcon } from '../../shared/ui/icons.tsx'

export function Tick({ isRead }: { isRead: boolean }) {
  const Icon = isRead ? ReadIcon : CheckIcon
  return (
    <>
      <Icon size={15} className={cx('inline-block', isRead && 'text-accent')} />
      <span className="sr-only">{isRead ? 'read' : 'sent'}</span>
    </>
  )
}
