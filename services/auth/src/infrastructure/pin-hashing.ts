import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Stored PINs are useless without the pepper, which is in no database. A slow hash such as bcrypt would only add waiting
 * time.
 */
export function createPinHashing(pepper: Buffer) {
  const hmac = (text: string) => createHmac('sha256', pepper).update(text).digest('base64')
  const mac = (userId: string, pin: string) => hmac(`pin:${userId}:${pin}`)
  return {
    /** Returns the stored form of a PIN. */
    mac,
    /** Returns a value that identifies a wrong entry without its digits. */
    entryMac: (userId: string, entry: string) => hmac(`entry:${userId}:${entry}`),
    matches: (userId: string, pin: string, pinMac: string): boolean =>
      timingSafeEqual(Buffer.from(mac(userId, pin)), Buffer.from(pinMac)),
  }
}
