/**
 * Calls `visit` with each key of the JSON object at `start` and the place of its value, which `visit` returns the end
 * of. Returns the end of the object. Works on bytes: a data file may be longer than a text can be.
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

/** The first place from `start` on that is not a white space. */
export function skipSpace(bytes: Buffer, start: number): number {
  let at = start
  while (spaces.has(bytes[at] ?? 0)) at++
  return at
}

const codes = { brace: 0x7b, braceEnd: 0x7d, bracket: 0x5b, bracketEnd: 0x5d, quote: 0x22, colon: 0x3a, comma: 0x2c }
const backslash = 0x5c
const spaces: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09])

function expectByte(bytes: Buffer, start: number, code: number): number {
  const at = skipSpace(bytes, start)
  if (bytes[at] === code) return at + 1
  throw new SyntaxError(`${String.fromCharCode(code)} is missing at byte ${at}`)
}

function endOfText(bytes: Buffer, start: number): number {
  if (bytes[start] !== codes.quote) throw new SyntaxError(`a text is missing at byte ${start}`)
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === codes.quote) return at + 1
    if (bytes[at] === backslash) at++
  }
  throw new SyntaxError(`the text at byte ${start} has no end`)
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
