/** What the page finds of a native shell (Capacitor); absent in a browser. */
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

/** What a native build was told; an object, so that a test can set it. */
export const nativeBuild = {
  /** Origin of the gateway. */
  serverUrl: settings?.VITE_SERVER_URL ?? '',
  /** The app's id in the App Store; without it, promo codes cannot be taken there. */
  appStoreId: settings?.VITE_APP_STORE_ID ?? '',
}

const shell = (): NativeShell | undefined => (globalThis as { Capacitor?: NativeShell }).Capacitor

export const platform = {
  /** Null in a browser. */
  native: (): NativePlatform | null => {
    const name = shell()?.isNativePlatform() ? shell()?.getPlatform() : undefined
    return name === 'ios' || name === 'android' ? name : null
  },
  /** Where the gateway is: the page's own origin in a browser, the server of the build in a native shell. */
  serverUrl: (): string => (platform.native() ? nativeBuild.serverUrl : ''),
  /** Calls back with the address of each link that opens the app, the one that started it included. */
  onLink: (listener: (url: string) => void): void => {
    const app = shell()?.Plugins?.App
    app?.addListener('appUrlOpen', ({ url }) => listener(url))
    void app?.getLaunchUrl?.().then((launch) => launch && listener(launch.url))
  },
}
