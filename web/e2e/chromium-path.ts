import { execFileSync } from 'node:child_process'

const names = ['chromium', 'google-chrome', 'chromium-browser']

/** Returns the path of the system's Chromium; throws one sentence with the fix if there is none. */
export function chromiumPath(): string {
  for (const name of names) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim()
    } catch {
      // The next name may exist.
    }
  }
  throw new Error(
    'No Chromium found. On Debian or Ubuntu: sudo apt-get install -y --no-install-recommends chromium',
  )
}
