/** The path of the field that is the event's Kafka key, found by letting its key function read from a stand-in. */
export function keyOf(event: { readonly key: (data: never) => string }): string {
  const read: string[] = []
  const standIn: unknown = new Proxy(
    {},
    {
      get(_target, name) {
        read.push(String(name))
        return standIn
      },
    },
  )
  event.key(standIn as never)
  return read.join('.')
}
