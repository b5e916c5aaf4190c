// The icons of the first page. They come by their own paths: the package's index would bring those of all screens along.
import Delete from 'lucide-react/icons/delete'
import Menu from 'lucide-react/icons/menu'
import Trash from 'lucide-react/icons/trash-2'
import X from 'lucide-react/icons/x'
import { icon } from './icon.tsx'

export const CloseIcon = icon(X)
export const DeleteIcon = icon(Trash)
export const EraseIcon = icon(Delete)
export const MenuIcon = icon(Menu)
