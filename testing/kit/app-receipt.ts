/** Encodes an element in DER, the binary format of receipts. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = Buffer.alloc(4)
  size.writeUInt32BE(length)
  const head = length < 0x80 ? [tag, length] : [tag, 0x84, ...size]
  return Buffer.concat([Buffer.from(head), content])
}

const [integerTag, octetsTag, objectTag, textTag, sequenceTag, setTag, partTag] = [
  0x02, 0x04, 0x06, 0x0c, 0x30, 0x31, 0xa0,
]
const integer = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return der(integerTag, bytes)
}
const [signedData, data] = ['2a864886f70d010702', '2a864886f70d010701'].map((id) =>
  der(objectTag, Buffer.from(id, 'hex')),
) as [Buffer, Buffer]

/** Encodes an attribute of a receipt: its type, its version, and its value. */
export const attribute = (type: number, value: Buffer): Buffer =>
  der(sequenceTag, integer(type), integer(1), der(octetsTag, value))

/**
 * Returns an app receipt in base64, as the App Store gives it to an app but without a signature. `others` are added as
 * further attributes.
 */
export function appReceipt(transactionIds: readonly string[], others: readonly Buffer[] = []): string {
  const idOf = (id: string) => attribute(1703, der(textTag, Buffer.from(id)))
  const purchases = transactionIds.map((id) => attribute(17, der(setTag, idOf(id))))
  const content = der(octetsTag, der(setTag, ...others, ...purchases))
  const inner = der(sequenceTag, data, der(partTag, content))
  const signed = der(sequenceTag, integer(1), der(setTag), inner)
  return der(sequenceTag, signedData, der(partTag, signed)).toString('base64')
}
