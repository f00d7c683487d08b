const blank = /[ \t\r\n]*/y
const scalar = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const key = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y

/**
 * The offset of the first character of `text` that JSON does not allow; undefined when there is none. Node's own messages
 * tell the offset in some releases and for some texts only.
 */
export function findJsonError(text: string): number | undefined {
  const reader = new Reader(text)
  const end = reader.value()
  return end && reader.atEnd() ? undefined : reader.offset
}

/** Reads JSON from left to right; `offset` stays where it goes wrong. */
class Reader {
  offset = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Skips a value; false where there is none. */
  value(): boolean {
    this.#skip(blank)
    if (this.#take('{')) return this.#list('}', () => this.#member())
    if (this.#take('[')) return this.#list(']', () => this.value())
    return this.#skip(scalar)
  }

  atEnd(): boolean {
    this.#skip(blank)
    return this.offset === this.#text.length
  }

  #list(end: string, item: () => boolean): boolean {
    if (this.#take(end)) return true
    do if (!item()) return false
    while (this.#take(','))
    return this.#take(end)
  }

  #member(): boolean {
    this.#skip(blank)
    return this.#skip(key) && this.#take(':') && this.value()
  }

  #take(character: string): boolean {
    this.#skip(blank)
    const found = this.#text[this.offset] === character
    if (found) this.offset++
    return found
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.offset
    const found = pattern.exec(this.#text)
    if (found !== null) this.offset = pattern.lastIndex
    return found !== null
  }
}
