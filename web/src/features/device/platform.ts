/** Capacitor provides this object in a native shell; a browser has none. */
interface NativeShell {
  isNativePlatform: () => boolean
  getPlatform: () => string
  Plugins?: {
    App?: {
      addListener: (event: 'appUrlOpen', listener: (opened: { url: string }) => void) => unknown
      getLaunchUrl?: () => Promise<{ url: string } | undefined>
    }
  }
}

export type NativePlatform = 'ios' | 'android'

type BuildSettings = Partial<Record<'VITE_SERVER_URL' | 'VITE_APP_STORE_ID', string>>
const settings = import.meta.env as BuildSettings | undefined

/** These settings of a native build are fields of an object, so that a test can change them. */
export const nativeBuild = {
  /** A native shell calls the gateway at this origin. */
  serverUrl: settings?.VITE_SERVER_URL ?? '',
  /** The App Store lists the app under this id; without it, promo codes cannot be redeemed there. */
  appStoreId: settings?.VITE_APP_STORE_ID ?? '',
}

const shell = (): NativeShell | undefined => (globalThis as { Capacitor?: NativeShell }).Capacitor

export const platform = {
  /** Returns null in a browser. */
  native: (): NativePlatform | null => {
    const name = shell()?.isNativePlatform() ? shell()?.getPlatform() : undefined
    return name === 'ios' || name === 'android' ? name : null
  },
  /** Returns the gateway's origin in a native shell, and '' in a browser, which uses the page's own origin. */
  serverUrl: (): string => (platform.native() ? nativeBuild.serverUrl : ''),
  /** Calls back with the address of each link that opens the app, including the link that started it. */
  onLink: (listener: (url: string) => void): void => {
    const app = shell()?.Plugins?.App
    app?.addListener('appUrlOpen', ({ url }) => listener(url))
    void app?.getLaunchUrl?.().then((launch) => launch && listener(launch.url))
  },
}
