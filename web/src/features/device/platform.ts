/** The interface of a native shell (Capacitor); absent in a browser. */
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

/** The settings of a native build. They are an object, so that a test can change them. */
export const nativeBuild = {
  /** The origin of the gateway. */
  serverUrl: settings?.VITE_SERVER_URL ?? '',
  /** The app's id in the App Store; without it, promo codes cannot be redeemed there. */
  appStoreId: settings?.VITE_APP_STORE_ID ?? '',
}

const shell = (): NativeShell | undefined => (globalThis as { Capacitor?: NativeShell }).Capacitor

export const platform = {
  /** Returns null in a browser. */
  native: (): NativePlatform | null => {
    const name = shell()?.isNativePlatform() ? shell()?.getPlatform() : undefined
    return name === 'ios' || name === 'android' ? name : null
  },
  /** The origin of the gateway: the page's own in a browser, the server of the build in a native shell. */
  serverUrl: (): string => (platform.native() ? nativeBuild.serverUrl : ''),
  /** Calls back with the address of each link that opens the app, including the one that started it. */
  onLink: (listener: (url: string) => void): void => {
    const app = shell()?.Plugins?.App
    app?.addListener('appUrlOpen', ({ url }) => listener(url))
    void app?.getLaunchUrl?.().then((launch) => launch && listener(launch.url))
  },
}
