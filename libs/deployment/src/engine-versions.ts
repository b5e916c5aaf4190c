interface EngineVersion {
  /**
   * `npm start` and `npm test` fetch this version when the machine has none. In place of the S3 image they use
   * another program, S3Proxy.
   */
  native: string
  /** `docker compose`, testcontainers and the cluster's `local` overlay use this image. */
  image: string
  /** The support of this release line ends on this day; null while it is one of the newest. */
  supportedUntil: string | null
}

/** The versions of the engines are named only here. Tests compare compose, testcontainers and k8s with them. */
export const engineVersions = {
  mongo: { native: '6.0.5', image: 'mongo:8.0.28', supportedUntil: '2029-10-31' },
  kafka: { native: '4.2.0', image: 'apache/kafka:4.2.1', supportedUntil: null },
  redis: { native: '6.2.14', image: 'redis:8.8.3-alpine', supportedUntil: null },
  s3: { native: '3.0.0', image: 'versity/versitygw:v1.8.0', supportedUntil: null },
  inbox: { native: '2.2.1', image: 'maildev/maildev:2.2.1', supportedUntil: null },
} as const satisfies Record<string, EngineVersion>

/** This image removes the containers of a killed test run. */
export const reaperImage = 'testcontainers/ryuk:0.14.0'
