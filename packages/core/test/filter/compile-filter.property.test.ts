import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { ApiError } from '@modelwire/server'
import { compileFilter, compileOptionalWhere } from '#src/filter/compile-filter.ts'
import { compilePredicate } from '#src/filter/match-where.ts'
import { buildModels } from '../build-models.ts'

const model = buildModels([
  {
    name: 'Item',
    hidden: ['secret'],
    properties: {
      name: 'string',
      price: 'number',
      active: 'boolean',
      added: 'date',
      tags: ['string'],
      place: 'geopoint',
      origin: { zone: 'number' },
      anything: 'any',
      secret: 'string'
    }
  }
]).typeOf('Item')

const operators =
  'eq neq gt gte lt lte between inq nin like nlike ilike nilike regexp near unit maxDistance options $gt'
const names = fc.oneof(
  fc.constantFrom(
    ...model.byName.keys(),
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'tags.0',
    'origin.zone',
    'and',
    'or',
    'nor'
  ),
  fc.constantFrom(...operators.split(' ')),
  fc.string({ maxLength: 4 })
)

/** Any JSON, made of names that a filter may know. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constant('1,2')
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('json')), { maxLength: 4 }).map((entries) => ownObject(entries))
  )
}))

/** As JSON.parse makes it: `__proto__` is an own key. */
function ownObject(entries: readonly (readonly [string, unknown])[]): unknown {
  const object = {}
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}

const row = {
  name: 'x',
  price: 1,
  active: true,
  added: new Date(0),
  tags: ['a'],
  place: { lat: 1, lng: 2 },
  anything: {}
}

/** Runs `compile` and says whether it ended in order. */
function endsWell(compile: () => void): boolean {
  try {
    compile()
    return true
  } catch (error) {
    return error instanceof ApiError && error.statusCode === 400
  }
}

const pristine = Object.getOwnPropertyNames(Object.prototype).join()

t.test('any JSON is a where or a 400, and what it becomes can be asked of rows', async (t) => {
  fc.assert(
    fc.property(json, fc.boolean(), (where, prohibitHiddenPropertiesInQuery) =>
      endsWell(() => {
        const condition = compileOptionalWhere(model, where, { options: { prohibitHiddenPropertiesInQuery } })
        if (condition !== undefined) compilePredicate(condition)(row)
      })
    ),
    { numRuns: runs(3000) }
  )
  t.equal(Object.getOwnPropertyNames(Object.prototype).join(), pristine)
})

t.test('any JSON is a filter or a 400', async (t) => {
  const filter = fc.record(
    { where: json, order: json, limit: json, skip: json, offset: json, fields: json },
    { requiredKeys: [] }
  )
  fc.assert(
    fc.property(fc.oneof(json, filter), (raw) =>
      endsWell(() => compileFilter(model, raw, { options: { prohibitHiddenPropertiesInQuery: true } }))
    ),
    { numRuns: runs(3000) }
  )
  t.equal(Object.getOwnPropertyNames(Object.prototype).join(), pristine)
})
