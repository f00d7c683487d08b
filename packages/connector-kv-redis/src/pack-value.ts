import msgpack5 from 'msgpack5'

/** Makes bytes or texts of values, and values of these. */
export interface Packer {
  readonly encode: (value: unknown) => Buffer | string
  readonly decode: (bytes: Buffer) => unknown
}

/** What the packer gives: a list of buffers. */
interface BufferList {
  slice(): Buffer
}

const encodeDate = (date: Date): Buffer => Buffer.from(date.toISOString(), 'utf8')
const decodeDate = (bytes: Buffer): Date => new Date(bytes.toString('utf8'))

/** LB3: MessagePack with dates of a type of their own; loopback-connector, lib/binary-packer.js. */
export function binaryPacker(): Packer {
  const packer = msgpack5({ forceFloat64: true }).register(1, Date, encodeDate, decodeDate)
  return {
    encode: (value) => (packer.encode(value) as unknown as BufferList).slice(), // the types of its package are not there
    decode: (bytes) => packer.decode(bytes) as unknown // whatever was stored
  }
}

const isoDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d*(?:Z|[+-][\d:]*)?$/

interface WrittenBuffer {
  readonly type: 'Buffer'
  readonly data: string
}

const isWrittenBuffer = (value: unknown): value is WrittenBuffer =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'Buffer' &&
  'data' in value &&
  typeof value.data === 'string'

/** LB3: JSON, with buffers as texts, and dates found by their form; loopback-connector, lib/json-string-packer.js. */
export function jsonPacker(encoding: BufferEncoding): Packer {
  // JSON calls `toJSON` first: only the object around it has the buffer itself.
  function write(this: unknown, key: string, value: unknown): unknown {
    const own: unknown = Reflect.get(Object(this) as object, key) // an object is made of anything
    return Buffer.isBuffer(own) ? { type: 'Buffer', data: own.toString(encoding) } : value
  }
  const read = (_key: string, value: unknown): unknown => {
    if (isWrittenBuffer(value)) return Buffer.from(value.data, encoding)
    return typeof value === 'string' && isoDate.test(value) ? new Date(value) : value
  }
  return {
    encode: (value) => JSON.stringify(value, write) ?? 'null',
    decode: (bytes) => JSON.parse(bytes.toString('utf8'), read) as unknown // whatever was stored
  }
}
