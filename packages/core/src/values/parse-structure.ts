import { checkStructure } from './check-structure.ts'

/**
 * The object or list that a JSON text holds; undefined for every other text.
 * @throws {MalformedText} a text in it is not well-formed Unicode
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} it is nested too deeply
 */
export function parseStructure(text: string): object | undefined {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return undefined
  const structure = parse(text)
  checkStructure(structure)
  return structure
}

function parse(text: string): object | undefined {
  try {
    // JSON that starts so is an object or a list.
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
