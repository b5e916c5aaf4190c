import { useEffect, useState } from 'react'

type Format = (text: string) => string

const unchanged: Format = (text) => text

/**
 * Returns a function that groups the digits of a phone number. The library's tables are large: until they are loaded,
 * the text stays as typed.
 */
export function usePhoneFormat(): Format {
  const [format, setFormat] = useState<Format | null>(null)
  useEffect(() => {
    void import('./phone-number.ts').then(
      ({ formatPhone }) => setFormat(() => formatPhone),
      () => undefined,
    )
  }, [])
  return format ?? unchanged
}
