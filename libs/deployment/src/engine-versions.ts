interface NativeVersion {
  version: string
  /** The support of this release line ends on this day; null while its maker has named none. */
  supportedUntil: string | null
  /** A version whose support has ended says here why it is used nevertheless. */
  unsupportedBecause?: string
}

interface EngineVersion {
  /** `npm start` and `npm test` fetch this version when the machine has none. */
  native: NativeVersion
  /** Macs have another version when the one for Linux cannot be had for them. */
  nativeOnMac?: NativeVersion
  /** A machine without Go has no versitygw and runs this version of S3Proxy. */
  nativeWithoutGo?: NativeVersion
  /** `docker compose`, testcontainers and the cluster's `local` overlay use this image. */
  image: string
  /** The support of the image's release line ends on this day; null while its maker has named none. */
  supportedUntil: string | null
}

/** The versions of the engines are named only here. Tests compare compose, testcontainers and k8s with them. */
export const engineVersions = {
  mongo: {
    native: {
      version: '6.0.5',
      supportedUntil: '2025-07-31',
      unsupportedBecause: 'No package registry offers a newer MongoDB for Linux.',
    },
    nativeOnMac: { version: '7.0.28', supportedUntil: '2027-08-31' },
    image: 'mongo:8.0.28',
    supportedUntil: '2029-10-31',
  },
  kafka: {
    native: { version: '4.2.0', supportedUntil: null },
    image: 'apache/kafka:4.2.1',
    supportedUntil: null,
  },
  redis: {
    native: { version: '8.2.3', supportedUntil: null },
    image: 'redis:8.8.3-alpine',
    supportedUntil: null,
  },
  s3: {
    native: { version: '1.8.0', supportedUntil: null },
    nativeWithoutGo: { version: '3.0.0', supportedUntil: null },
    image: 'versity/versitygw:v1.8.0',
    supportedUntil: null,
  },
  inbox: {
    native: { version: '2.2.1', supportedUntil: null },
    image: 'maildev/maildev:2.2.1',
    supportedUntil: null,
  },
} as const satisfies Record<string, EngineVersion>

/** This image removes the containers of a killed test run. */
export const reaperImage = 'testcontainers/ryuk:0.14.0'
