/** Bytes of each of the two numbers of a signature of P-256. */
const size = 32

/** Copies the number of a DER integer at `from` to the end of its place, and gives where the next one begins. */
function copyInteger(der: Buffer, from: number, into: Buffer): number {
  const start = from + 2
  const end = start + (der[from + 1] ?? 0)
  // A zero before the number says that it is positive.
  const first = Math.max(start, end - size)
  der.copy(into, size - (end - first), first, end)
  return end
}

/**
 * The signature of P-256 as JWTs have it, both numbers side by side, of one in DER. OpenSSL makes the latter, and having Node
 * convert it takes as long as the signature itself on Node 24.
 * @see RFC 7518 section 3.4, RFC 3279 section 2.2.3
 */
export function joinIntegers(der: Buffer): Buffer {
  const joined = Buffer.alloc(2 * size)
  const second = copyInteger(der, 2, joined.subarray(0, size))
  copyInteger(der, second, joined.subarray(size))
  return joined
}
