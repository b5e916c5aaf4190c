import Trash from 'lucide-react/icons/trash-2'
import { icon } from '../../shared/ui/icon.tsx'

export const DeleteIcon = icon(Trash)
