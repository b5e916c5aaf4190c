import { deviceMarkerCookie } from '@sumlock/contracts/cookies'
import { limits } from '@sumlock/contracts/limits'
import { serializeCookie } from '@sumlock/service-kit/parse-cookies'
import type { Context } from '../context.ts'

type Settings = Pick<Context['config'], 'COOKIE_SECURE'>

const marker = (config: Settings, value: string, maxAgeSeconds: number) =>
  serializeCookie(deviceMarkerCookie, value, {
    secure: config.COOKIE_SECURE,
    maxAgeSeconds,
    isReadableByScripts: true,
  })

/** Marks the device as signed in. The page at `/` reads this cookie before any request. */
export const setDeviceMarker = (config: Settings, isDiscreet: boolean): string =>
  marker(config, isDiscreet ? '2' : '1', limits.deviceMarkerLifetimeDays * 86_400)

export const removeDeviceMarker = (config: Settings): string => marker(config, '', 0)
