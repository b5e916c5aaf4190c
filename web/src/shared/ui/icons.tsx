// The icons behind the calculator. They are not loaded with the first page, so its own icon stands apart.
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
  TriangleAlert,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { icon } from './icon.tsx'

export const BackIcon = icon(ChevronLeft)
export const BlockIcon = icon(Ban)
export const CameraIcon = icon(Camera)
export const GalleryIcon = icon(Image)
export const CheckIcon = icon(Check)
export const CopyIcon = icon(Copy)
export const QrCodeIcon = icon(QrCode)
export const DownIcon = icon(ArrowDown)
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
export const MutedIcon = icon(VolumeX)
export const SoundIcon = icon(Volume2)
export const SendIcon = icon(SendHorizontal)
export const UnmuteIcon = icon(Bell)
export const WarningIcon = icon(TriangleAlert)
