import { RE2JS } from 're2js'

/** A character class, and the position after it in the pattern. */
interface CharacterClass {
  readonly source: string
  readonly next: number
}

const codeOf = (character: string): string => `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** The limits of a range may stand in any order. */
function range(one: string, other: string): string {
  const [low, high] = (one.codePointAt(0) ?? 0) <= (other.codePointAt(0) ?? 0) ? [one, other] : [other, one]
  return `${codeOf(low)}-${codeOf(high)}`
}

/** One member of a class, and how many characters write it. */
function memberAt(characters: readonly string[], at: number): readonly [source: string, length: number] {
  const [first = '', second, third] = characters.slice(at, at + 3)
  if (first === '\\' && second !== undefined) return [codeOf(second), 2]
  if (second === '-' && third !== undefined) return [range(first, third), 3]
  return [codeOf(first), 1]
}

const noCharacter = String.raw`[^\x00-\x{10FFFF}]`

/** The class that begins behind `[`. One that does not end goes to the end of the pattern. */
function readClass(characters: readonly string[], begin: number): CharacterClass {
  const isNegated = characters[begin] === '^'
  let at = isNegated ? begin + 1 : begin
  let members = ''
  while (at < characters.length && characters[at] !== ']') {
    const [member, length] = memberAt(characters, at)
    members += member
    at += length
  }
  if (members === '') return { source: isNegated ? '.' : noCharacter, next: at + 1 }
  return { source: `[${isNegated ? '^' : ''}${members}]`, next: at + 1 }
}

const wildcards: Readonly<Record<string, string>> = { '*': '.*', '?': '.' }

function translate(pattern: string): string {
  const characters = Array.from(pattern)
  let source = ''
  for (let at = 0; at < characters.length;) {
    const character = characters[at] ?? ''
    const found = character === '[' ? readClass(characters, at + 1) : undefined
    const isQuoted = character === '\\' && at + 1 < characters.length
    const plain = isQuoted ? (characters[at + 1] ?? '') : character
    source += found?.source ?? (isQuoted ? undefined : wildcards[character]) ?? RE2JS.quote(plain)
    at = found?.next ?? at + (isQuoted ? 2 : 1)
  }
  return source
}

/**
 * Compiles a pattern of keys to a test that takes linear time.
 * @see the command KEYS of Redis; src/util.c, stringmatchlen
 */
export function compileGlob(pattern: string): (key: string) => boolean {
  const compiled = RE2JS.compile(translate(pattern), RE2JS.DOTALL)
  return (key) => compiled.matches(key)
}
