import { isRoundedNumber, NumberNotRepresentable } from '@modelwire/core/connector'

/**
 * The number that a database wrote.
 * @throws {NumberNotRepresentable} it has more digits than a number can hold
 */
export function readNumber(text: string): number {
  if (!isRoundedNumber(text)) return Number(text)
  throw new NumberNotRepresentable(
    `the stored number ${text} has more digits than a number can hold: declare its property with the type "string" and the column's dataType to read it as a text`
  )
}
