import { X509Certificate } from 'node:crypto'

const folder = '/run/authorities'
const pemFile = 'authorities.pem'
const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Returns the content of the optional Secret `authorities`, which every pod of a Node program mounts. The Secret also
 * holds the path for NODE_EXTRA_CA_CERTS, because Node prints a warning that is no JSON when the variable names a
 * missing file. Throws when `pem` holds a key, or no valid certificate.
 */
export function authoritiesSecret(pem: string): Record<'file' | typeof pemFile, string> {
  const found = pem.match(certificates) ?? []
  if (found.length === 0 || pem.includes('PRIVATE KEY') || !found.every(isCertificate))
    throw new Error('The file of private authorities must hold valid certificates (PEM) and no key.')
  return { file: `${folder}/${pemFile}`, [pemFile]: found.map((one) => `${one}\n`).join('') }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}
