// The screens behind the calculator use these icons; the first page loads only its own (first-icons.ts). They are
// imported by their own paths, because the package's index would make every test load two thousand modules.
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Ban from 'lucide-react/icons/ban'
import Bell from 'lucide-react/icons/bell'
import BellOff from 'lucide-react/icons/bell-off'
import Camera from 'lucide-react/icons/camera'
import Check from 'lucide-react/icons/check'
import CheckCheck from 'lucide-react/icons/check-check'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Clock from 'lucide-react/icons/clock'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Flag from 'lucide-react/icons/flag'
import Image from 'lucide-react/icons/image'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import LockOpen from 'lucide-react/icons/lock-open'
import Mail from 'lucide-react/icons/mail'
import Mic from 'lucide-react/icons/mic'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import QrCode from 'lucide-react/icons/qr-code'
import Search from 'lucide-react/icons/search'
import SendHorizontal from 'lucide-react/icons/send-horizontal'
import Settings from 'lucide-react/icons/settings'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import { icon } from './icon.tsx'

export const BackIcon = icon(ChevronLeft)
export const BlockIcon = icon(Ban)
export const CameraIcon = icon(Camera)
export const GalleryIcon = icon(Image)
export const CheckIcon = icon(Check)
export const CopyIcon = icon(Copy)
export const QrCodeIcon = icon(QrCode)
export const DownIcon = icon(ArrowDown)
export const EarlierIcon = icon(ArrowLeft)
export const LaterIcon = icon(ArrowRight)
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
export const NextIcon = icon(ChevronRight)
export const OverviewIcon = icon(LayoutGrid)
export const PauseIcon = icon(Pause)
export const PencilIcon = icon(Pencil)
export const PendingIcon = icon(Clock)
export const PlayIcon = icon(Play)
export const PlusIcon = icon(Plus)
export const ReadIcon = icon(CheckCheck)
export const ReportIcon = icon(Flag)
export const SaveIcon = icon(Download)
export const SearchIcon = icon(Search)
export const MutedIcon = icon(VolumeX)
export const SoundIcon = icon(Volume2)
export const SendIcon = icon(SendHorizontal)
export const UnmuteIcon = icon(Bell)
export const UpIcon = icon(ArrowUp)
export const WarningIcon = icon(TriangleAlert)
