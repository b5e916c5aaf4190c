import { isDiscreetDevice } from '../device/known-device.ts'
import type { LegalScope } from './LegalReading.tsx'

/**
 * In discreet mode the calculator's own screens show only the texts about the calculator, because a locked phone must
 * not reveal the app.
 */
export const legalScope = (): LegalScope => (isDiscreetDevice() ? 'calculator' : 'whole')
