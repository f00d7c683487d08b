import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { ApiError } from '@modelwire/server'
import { compileCoercion } from '#src/types/coerce-value.ts'
import { Unusable } from '#src/values/unusable.ts'
import { compileType } from '#src/types/compile-type.ts'
import { scalarKinds } from '#src/types/property-type.ts'

const place = { model: 'Sample', key: 'properties.value', dottedNames: false }
const convert = (type: unknown, raw: unknown) =>
  compileCoercion(compileType(type, place), { findModel: () => undefined })(raw)

const anyValue = fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true, withObjectString: true })
const anyType = fc.oneof(
  fc.constantFrom<unknown>(...scalarKinds, 'array', { x: 'number', y: ['date'] }),
  fc.constantFrom<unknown>(...scalarKinds).map((kind) => [kind])
)

/** True where a value holds NaN, an invalid date or undefined that the conversion made, as far as the type reaches. */
function isSpoilt(value: unknown): boolean {
  if (value instanceof Date) return Number.isNaN(value.getTime())
  return value === undefined || Number.isNaN(value)
}

t.test('no value of a declared type becomes NaN, an invalid date or undefined', async () => {
  const keepsAll = new Set<unknown>(['object', 'any', 'text', 'array'])
  fc.assert(
    fc.property(anyType, anyValue, (type, raw) => {
      if (raw === null || raw === undefined) return true
      try {
        const value = convert(type, raw)
        const parts = Array.isArray(value) ? value : [value]
        return value instanceof Unusable || keepsAll.has([type].flat()[0]) || !parts.some(isSpoilt)
      } catch (error) {
        return error instanceof ApiError
      }
    }),
    { numRuns: runs(3000) }
  )
})
