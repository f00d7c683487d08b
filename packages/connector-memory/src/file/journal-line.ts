import { crc32 } from 'node:zlib'

const codes = { brace: 0x7b, braceEnd: 0x7d, bracket: 0x5b, bracketEnd: 0x5d, quote: 0x22, colon: 0x3a, comma: 0x2c }

const backslash = 0x5c

const spaces: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09])

/** A line of a journal. Lines of old versions have no number. */
export interface JournalLine {
  readonly number: number | undefined
  readonly json: string
}

const checksumDigits = 8

const checksumOf = (json: string): string => crc32(json).toString(16).padStart(checksumDigits, '0')

/** Formats a line of the file: its number, the checksum of the rest, and the change as JSON. */
export function writeLine(number: number, json: string): string {
  return `${number} ${checksumOf(json)} ${json}\n`
}

/** Parses a line; undefined if it is damaged. */
export function readLine(text: string): JournalLine | undefined {
  if (text.startsWith('{')) return { number: undefined, json: text }
  const [number = '', checksum = ''] = text.split(' ', 2)
  const json = text.slice(number.length + checksum.length + 2)
  if (!/^[1-9]\d*$/.test(number) || checksum !== checksumOf(json)) return undefined
  return { number: Number(number), json }
}

/**
 * Calls `visit` with each key of the JSON object at `start` and the position of its value; `visit` returns where the value
 * ends. Returns the end of the object. Works on bytes: a data file may exceed the maximum string length.
 * @throws {SyntaxError} that is not a JSON object
 */
export function readEntries(bytes: Buffer, start: number, visit: (key: string, at: number) => number): number {
  let at = skipSpace(bytes, expectByte(bytes, start, codes.brace))
  if (bytes[at] === codes.braceEnd) return at + 1
  for (;;) {
    const end = endOfText(bytes, at)
    const key: unknown = JSON.parse(bytes.toString('utf8', at, end))
    at = skipSpace(bytes, visit(String(key), skipSpace(bytes, expectByte(bytes, end, codes.colon))))
    if (bytes[at] === codes.braceEnd) return at + 1
    at = skipSpace(bytes, expectByte(bytes, at, codes.comma))
  }
}

/** The JSON value at `start`, and where it ends. */
export function readValue(bytes: Buffer, start: number): { value: unknown; end: number } {
  const end = endOfValue(bytes, start)
  return { value: JSON.parse(bytes.toString('utf8', start, end)), end }
}

/** The first position from `start` on that is not whitespace. */
export function skipSpace(bytes: Buffer, start: number): number {
  let at = start
  while (spaces.has(bytes[at] ?? 0)) at++
  return at
}

function expectByte(bytes: Buffer, start: number, code: number): number {
  const at = skipSpace(bytes, start)
  if (bytes[at] === code) return at + 1
  throw new SyntaxError(`${String.fromCharCode(code)} is missing at byte ${at}`)
}

function endOfText(bytes: Buffer, start: number): number {
  if (bytes[start] !== codes.quote) throw new SyntaxError(`a string is missing at byte ${start}`)
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === codes.quote) return at + 1
    if (bytes[at] === backslash) at++
  }
  throw new SyntaxError(`the string at byte ${start} is not terminated`)
}

/** Of lists and objects counts the brackets alone: what is between them is for the parser. */
function endOfValue(bytes: Buffer, start: number): number {
  let [at, depth] = [start, 0]
  while (at < bytes.length) {
    const code = bytes[at]
    if (code === codes.quote) at = endOfText(bytes, at) - 1
    else if (code === codes.brace || code === codes.bracket) depth++
    else if (depth === 0 && (code === codes.comma || code === codes.braceEnd)) return at
    else if (code === codes.braceEnd || code === codes.bracketEnd) depth--
    at++
    if (depth === 0 && (code === codes.quote || code === codes.braceEnd || code === codes.bracketEnd)) return at
  }
  return at
}
