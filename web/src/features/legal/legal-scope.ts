import { isDiscreetDevice } from '../device/known-device.ts'
import type { LegalScope } from './LegalReading.tsx'

/** The calculator's own screens show only a calculator's text on a locked phone in discreet mode. */
export const legalScope = (): LegalScope => (isDiscreetDevice() ? 'calculator' : 'whole')
