import { useMemo } from 'react'
import { encode } from 'uqr'

/**
 * Shows a QR code; `label` describes its content to a person. The code is dark on white in both themes, because many
 * cameras do not read the reverse.
 */
export function QrCode({ text, label = text }: { text: string; label?: string }) {
  const { size, data } = useMemo(() => encode(text, { ecc: 'M', border: 3 }), [text])
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      role="img"
      aria-label={`QR code of ${label}`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-56 max-w-full rounded-2xl"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  )
}
