import Reply from 'lucide-react/icons/reply'
import { icon } from '../../../shared/ui/icon.tsx'

export const ReplyIcon = icon(Reply)
