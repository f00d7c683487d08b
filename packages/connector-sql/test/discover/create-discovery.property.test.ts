import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import type { SqlDialect } from '#src/dialect/dialect.ts'
import { createDiscovery, conventionalName } from '#src/discover/create-discovery.ts'
import type { Runner } from '#src/statement/run-statement.ts'
import { type RawRow, sql } from '#src/sql.ts'
import { columnTypes } from '#src/table/column-types.ts'

const [columns, indexes, foreignKeys] = [sql`columns`, sql`indexes`, sql`foreign keys`]

/** What discovery asks of a dialect; names are those of the properties, as in MySQL. */
const asked: unknown = {
  name: 'test',
  mappingKeys: ['test'],
  defaultName: (name: string) => name,
  types: columnTypes([{ name: 'text', written: /^text$/, kind: 'text', makes: 'text' }], {
    spell: ({ name: text }) => text
  }),
  catalog: { describeColumns: () => columns, listIndexes: () => indexes, listForeignKeys: () => foreignKeys }
}
const dialect = asked as SqlDialect // nothing else of it is asked

function discover(tables: readonly string[], names: readonly string[]) {
  const rows = names.map((name, at): RawRow => ({
    name,
    data_type: 'text',
    nullable: 1,
    key_position: at === 0 ? 1 : 0
  }))
  const run: unknown = async (statement: unknown) => ({ rows: statement === columns ? rows : [] })
  const runner: unknown = { run }
  // Statements are all that is run.
  return createDiscovery({ dialect, runner: runner as Runner }, undefined).discoverModels({ tables })
}

const word = fc.constantFrom('id', 'ID', 'order', 'Order', 'item', 'ITEM', 'é', '1')
const name = fc.oneof(
  fc.tuple(word, fc.constantFrom('', '_', '-', ' ', '__'), word).map((parts) => parts.join('')),
  fc.constantFrom('_', '%', '__proto__', 'constructor', '-', '"'),
  fc.string({ unit: 'binary', minLength: 1 })
)

void t.test('every column of a table has a property of its own, which says where it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), async (names) => {
      const [model] = await discover(['tests'], names)
      const properties = model?.properties ?? {}
      const held = Object.entries(properties).map(([property, definition]) => {
        const mapping: unknown = Reflect.get(Object(definition), 'test')
        return String(Reflect.get(Object(mapping), 'columnName') ?? property)
      })
      return !Object.hasOwn(properties, '') && held.toSorted().join('\0') === names.toSorted().join('\0')
    }),
    { numRuns: runs(300) }
  )
})

void t.test('every table has a model of its own, which says where it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), async (names) => {
      const held = (await discover(names, ['id'])).map((definition) => ({
        model: definition.name,
        table: String(Reflect.get(Object(definition['test']), 'tableName') ?? definition.name)
      }))
      const models = new Set(held.map(({ model }) => model))
      return models.size === names.length && !models.has('') && held.every(({ table }, at) => table === names[at])
    }),
    { numRuns: runs(300) }
  )
})

void t.test('letters and digits of a name stay in their order, and no sign between words does', async () => {
  const kind = fc.constantFrom('model' as const, 'property' as const, 'relation' as const)
  const ascii = fc.string({ unit: fc.constantFrom(...Array.from('abAB01_- .$')) })
  fc.assert(
    fc.property(kind, ascii, (what, text) => {
      const made = conventionalName(what, text)
      const isLetters = /^[a-zA-Z0-9$]*$/.test(made)
      const isSame = made.replaceAll('$', '').toLowerCase() === text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()
      return isLetters && isSame
    })
  )
})
