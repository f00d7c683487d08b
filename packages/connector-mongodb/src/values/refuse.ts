import { ValueRefused } from '@modelwire/core/connector'

/** A text that can be stored. @throws {ValueRefused} it has half of a surrogate pair, which would be stored as another character */
export function storableText(text: string): string {
  if (text.isWellFormed()) return text
  throw new ValueRefused('a string is not well-formed Unicode')
}

/** The name of a part of a value that can be stored. @throws {ValueRefused} MongoDB reads it as an operator, or cannot store it */
export function storableName(name: string): string {
  if (name.startsWith('$') || name.includes('\0') || !name.isWellFormed())
    throw new ValueRefused(`the database refuses the name ${JSON.stringify(name)}`)
  return name
}
