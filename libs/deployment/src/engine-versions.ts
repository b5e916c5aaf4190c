interface EngineVersion {
  /** The version that `npm start` and `npm test` fetch when the machine has none. For S3 it is another program, S3Proxy. */
  native: string
  /** The version of `docker compose`, testcontainers and the cluster's `local` overlay. */
  image: string
  /** End of support for this release line; null while it is one of the newest. */
  supportedUntil: string | null
}

/** Every engine's versions, named here and nowhere else; tests hold compose, testcontainers and k8s to it. */
export const engineVersions = {
  mongo: { native: '6.0.5', image: 'mongo:8.0.28', supportedUntil: '2029-10-31' },
  kafka: { native: '4.2.0', image: 'apache/kafka:4.2.1', supportedUntil: null },
  redis: { native: '6.2.14', image: 'redis:8.8.3-alpine', supportedUntil: null },
  s3: { native: '3.0.0', image: 'versity/versitygw:v1.8.0', supportedUntil: null },
  inbox: { native: '2.2.1', image: 'maildev/maildev:2.2.1', supportedUntil: null },
} as const satisfies Record<string, EngineVersion>

/** The image that removes the containers of a killed test run. */
export const reaperImage = 'testcontainers/ryuk:0.14.0'
