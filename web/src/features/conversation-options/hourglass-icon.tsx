import Hourglass from 'lucide-react/icons/hourglass'
import { icon } from '../../shared/ui/icon.tsx'

export const HourglassIcon = icon(Hourglass)
