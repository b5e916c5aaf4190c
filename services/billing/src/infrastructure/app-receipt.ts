/**
 * Apple gives each attribute a number: 17 is a purchase in the receipt. Inside a purchase, 1703 is its transaction id and
 * 1705 its original transaction id.
 */
const purchaseType = 17
const idTypes: readonly number[] = [1703, 1705]

/**
 * Returns the ids of the transactions in an app receipt (PKCS 7 in base64). Nothing is verified, so the ids may only be used
 * in calls to Apple. Throws when the bytes are no receipt. Apple's own ReceiptUtility is not used, because it takes minutes
 * for a receipt that is full of tiny attributes.
 */
export function transactionIdsIn(receiptData: string): string[] {
  const pathToContent = [0, 1, 0, 2, 1, 0]
  const content = pathToContent.reduce<Buffer>(childOf, Buffer.from(receiptData, 'base64'))
  return attributesIn(content)
    .filter(({ type }) => type === purchaseType)
    .flatMap(({ value }) => attributesIn(value))
    .filter(({ type }) => idTypes.includes(type))
    .map(({ value }) => childOf(value, 0).toString())
    .filter((id) => /^\d+$/.test(id))
}

/** Parses a set of attributes, each of which has a type, a version and a value. */
const attributesIn = (set: Buffer): { type: number; value: Buffer }[] =>
  elementsIn(childOf(set, 0)).map((attribute) => {
    const type = childOf(attribute, 0)
    return { type: type.readUIntBE(0, type.length), value: childOf(attribute, 2) }
  })

function childOf(bytes: Buffer, index: number): Buffer {
  const element = elementsIn(bytes)[index]
  if (!element) throw new RangeError('the receipt lacks an element')
  return element
}

/** Returns the contents of consecutive DER elements. */
function elementsIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const first = bytes.readUInt8(at + 1)
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f
    const start = at + 2 + lengthBytes
    // Receipts from Xcode, but not from Apple, use BER's indefinite length (0x80). Such receipts are refused here.
    at = start + (first < 0x80 ? first : bytes.readUIntBE(at + 2, lengthBytes))
    if (at > bytes.length) throw new RangeError('the receipt ends too early')
    found.push(bytes.subarray(start, at))
  }
  return found
}
