import { isDiscreetDevice } from '../device/known-device.ts'
import type { LegalScope } from './LegalReading.tsx'

/** What the calculator's own screens show: on a locked phone in discreet mode only a calculator's text. */
export const legalScope = (): LegalScope => (isDiscreetDevice() ? 'calculator' : 'whole')
