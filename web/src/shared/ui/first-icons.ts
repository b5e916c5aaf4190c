// The first page uses these icons. They are imported by their own paths, because the package's index would load the
// icons of all screens.
import Delete from 'lucide-react/icons/delete'
import Menu from 'lucide-react/icons/menu'
import Trash from 'lucide-react/icons/trash-2'
import X from 'lucide-react/icons/x'
import { icon } from './icon.tsx'

export const CloseIcon = icon(X)
export const DeleteIcon = icon(Trash)
export const EraseIcon = icon(Delete)
export const MenuIcon = icon(Menu)
