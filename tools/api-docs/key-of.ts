/** The path of the event's Kafka key, recorded while its key function reads from a proxy. */
export function keyOf(event: { readonly key: (data: never) => string }): string {
  const read: string[] = []
  const recorder: unknown = new Proxy(
    {},
    {
      get(_target, name) {
        read.push(String(name))
        return recorder
      },
    },
  )
  event.key(recorder as never)
  return read.join('.')
}
