// One size and stroke for all icons.
import {
  ArrowDown,
  Ban,
  Bell,
  BellOff,
  Camera,
  Check,
  CheckCheck,
  ChevronLeft,
  CircleAlert,
  Clock,
  Copy,
  Delete,
  EllipsisVertical,
  Eye,
  EyeOff,
  Flag,
  Image,
  KeyRound,
  LockOpen,
  Mail,
  Mic,
  Pause,
  Play,
  Plus,
  QrCode,
  Search,
  SendHorizontal,
  Settings,
  Trash2,
  TriangleAlert,
  Volume2,
  VolumeX,
  X,
} from 'lucide-react'
import type { LucideIcon, LucideProps } from 'lucide-react'

const icon = (Shape: LucideIcon) =>
  function Icon(props: LucideProps) {
    return <Shape size={22} strokeWidth={1.75} aria-hidden {...props} />
  }

export const BackIcon = icon(ChevronLeft)
export const BlockIcon = icon(Ban)
export const CameraIcon = icon(Camera)
export const GalleryIcon = icon(Image)
export const CheckIcon = icon(Check)
export const CloseIcon = icon(X)
export const CopyIcon = icon(Copy)
export const QrCodeIcon = icon(QrCode)
export const DeleteIcon = icon(Trash2)
export const DownIcon = icon(ArrowDown)
export const EraseIcon = icon(Delete)
export const ErrorIcon = icon(CircleAlert)
export const EyeIcon = icon(Eye)
export const EyeOffIcon = icon(EyeOff)
export const GearIcon = icon(Settings)
export const KeyIcon = icon(KeyRound)
export const OpenLockIcon = icon(LockOpen)
export const MailIcon = icon(Mail)
export const MicrophoneIcon = icon(Mic)
export const MoreIcon = icon(EllipsisVertical)
export const MuteIcon = icon(BellOff)
export const PauseIcon = icon(Pause)
export const PendingIcon = icon(Clock)
export const PlayIcon = icon(Play)
export const PlusIcon = icon(Plus)
export const ReadIcon = icon(CheckCheck)
export const ReportIcon = icon(Flag)
export const SearchIcon = icon(Search)
export const SilentIcon = icon(VolumeX)
export const SoundIcon = icon(Volume2)
export const SendIcon = icon(SendHorizontal)
export const UnmuteIcon = icon(Bell)
export const WarningIcon = icon(TriangleAlert)
