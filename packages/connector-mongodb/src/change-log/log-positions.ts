import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Binary, BSON, type Document, Timestamp } from 'mongodb'
import { type LogPlace, readToken } from './log-places.ts'

const cipher = 'aes-256-gcm'
const [ivLength, tagLength] = [12, 16]
/** Tokens of changes are longer than those between changes: positions of both have one length. */
const blockLength = 128

/** Tokens are written in hexadecimal digits, of which half as many bytes are needed. */
const isHex = (text: string): boolean => /^(?:[0-9A-F]{2})+$/.test(text)

/** A position of the place for readers: another text each time, which shows nothing. @param secret 32 bytes, which all processes share */
export function writePosition(secret: Buffer, place: LogPlace): string {
  const { token, within } = place
  const { _data: data, ...more } = token
  const written = BSON.serialize({
    data: isHex(data) ? Buffer.from(data, 'hex') : data,
    ...(Object.keys(more).length > 0 && { more }),
    ...within
  })
  const padded = Buffer.alloc(Math.ceil(written.length / blockLength) * blockLength)
  padded.set(written)
  const iv = randomBytes(ivLength)
  const encryption = createCipheriv(cipher, secret, iv)
  const text = Buffer.concat([encryption.update(padded), encryption.final()])
  return Buffer.concat([iv, encryption.getAuthTag(), text]).toString('base64url')
}

/** The place of a position; undefined for a text that was not made with this secret. */
export function readPosition(secret: Buffer, position: string): LogPlace | undefined {
  const bytes = Buffer.from(position, 'base64url')
  const plain = decrypt(secret, bytes)
  if (plain === undefined) return undefined
  const { data, more, passed, time } = BSON.deserialize(plain.subarray(0, plain.readInt32LE(0)))
  const token = readToken({ ...Object(more), _data: textOf(data) })
  if (token === undefined) return undefined
  return time instanceof Timestamp ? { token, within: { passed: Number(passed), time } } : { token }
}

const textOf = (data: Document['data']): unknown => (data instanceof Binary ? data.toString('hex').toUpperCase() : data)

/** Undefined for what was not encrypted with the secret. */
function decrypt(secret: Buffer, bytes: Buffer): Buffer | undefined {
  if (bytes.length < ivLength + tagLength + blockLength) return undefined
  const decryption = createDecipheriv(cipher, secret, bytes.subarray(0, ivLength))
  decryption.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
  try {
    return Buffer.concat([decryption.update(bytes.subarray(ivLength + tagLength)), decryption.final()])
  } catch {
    // What OpenSSL finds fault with is that the tag is another one.
    return undefined
  }
}
