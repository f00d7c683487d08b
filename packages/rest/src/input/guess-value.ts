const integer = /^-?(?:0|[1-9]\d*)$/
const decimal = /^-?\d*\.\d+$/

/**
 * What a text most likely stands for: `true`, `false`, `null`, a number, a JSON object or list; otherwise the text
 * itself. Integers with leading zeros, exponents and numbers beyond the safe range stay texts.
 * @see LoopBack 3: strong-remoting, lib/types/any.js; pinned by recording remoting/coerce-any
 */
export function guessValue(text: string): unknown {
  const first = text.charCodeAt(0)
  // Numbers start with -, . or a digit.
  if (first === 45 || first === 46 || (first >= 48 && first <= 57)) return guessNumber(text)
  return guessWord(text) ?? parseStructure(text) ?? (text === 'null' ? null : text)
}

function guessNumber(text: string): number | string {
  if (!integer.test(text) && !decimal.test(text)) return text
  const number = Number(text)
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
}

function guessWord(text: string): boolean | undefined {
  if (text.length > 5) return undefined
  const word = text.toLowerCase()
  if (word === 'true') return true
  return word === 'false' ? false : undefined
}

/** The object or list of a JSON text that starts with `{` or `[` exactly; undefined for every other text. */
export function parseStructure(text: string): object | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined
  try {
    // JSON that starts so is an object or a list.
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
