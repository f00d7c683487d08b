import { countDigits, ValueRefused } from '@modelwire/core/connector'
import { NumberNotExact } from '../errors.ts'
import type { Column } from '../table/column.ts'

/** Databases go on counting after a chosen id: the next ones are whole numbers that JavaScript can hold, too. */
const mostChosenId = 2 ** 52

/**
 * Refuses a number that its column would hold as another one: databases round what has more decimals than the column.
 * @throws {NumberNotExact} it has more digits behind the point, or is a whole number that was rounded before it came
 * here
 * @throws {ValueRefused} a text is not a decimal number
 */
export function checkExact({ property, kind, exact }: Column, value: unknown): void {
  if (property.generated && typeof value === 'number' && Math.abs(value) > mostChosenId)
    throw new NumberNotExact(
      `the property "${property.name}" holds no number beyond ${mostChosenId} that was not generated`
    )
  if (exact === undefined || (kind !== 'number' && kind !== 'decimal')) return
  const digits = countDigits(String(value))
  if (digits === undefined) throw new ValueRefused(`the property "${property.name}" holds a decimal number`)
  const { fraction = Infinity } = exact
  if (digits.fraction > fraction)
    throw new NumberNotExact(`the property "${property.name}" holds ${fraction} digits behind the point, not more`)
  if (kind === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new NumberNotExact(
      `the property "${property.name}" holds no whole number beyond ${Number.MAX_SAFE_INTEGER}: declare it with the type "string" to send all digits`
    )
}
