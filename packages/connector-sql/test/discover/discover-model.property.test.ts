import * as fc from 'fast-check'
import t from 'tap'
import type { SqlDialect } from '#src/dialect.ts'
import { discoverModel } from '#src/discover/discover-model.ts'
import { usualName } from '#src/discover/name-of.ts'
import type { RawRow, Runner } from '#src/run-statement.ts'
import { sql } from '#src/sql.ts'

const [columns, indexes, foreignKeys] = [sql`columns`, sql`indexes`, sql`foreign keys`]

/** What discovery asks of a dialect; names are those of the properties, as in MySQL. */
const asked: unknown = {
  name: 'test',
  mappingKeys: ['test'],
  defaultName: (name: string) => name,
  catalog: { describeColumns: () => columns, propertyType: () => 'string', isUsual: () => true, keyLength: undefined },
  schema: { listIndexes: () => indexes, listForeignKeys: () => foreignKeys }
}
const dialect = asked as SqlDialect // nothing else of it is asked

function discover(names: readonly string[]) {
  const rows = names.map((name, at): RawRow => ({
    name,
    data_type: 'text',
    nullable: 1,
    key_position: at === 0 ? 1 : 0
  }))
  const run: unknown = async (statement: unknown) => ({ rows: statement === columns ? rows : [] })
  const runner: unknown = { run }
  // Statements are all that is run.
  return discoverModel(
    { dialect, runner: runner as Runner },
    { name: 'tests', schema: undefined },
    { defaultSchema: undefined }
  )
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
      const properties = (await discover(names))?.properties ?? {}
      const held = Object.entries(properties).map(([property, definition]) => {
        const mapping: unknown = Reflect.get(Object(definition), 'test')
        return String(Reflect.get(Object(mapping), 'columnName') ?? property)
      })
      return !Object.hasOwn(properties, '') && held.toSorted().join('\0') === names.toSorted().join('\0')
    }),
    { numRuns: 300 }
  )
})

void t.test('letters and digits of a name stay in their order, and no sign between words does', async () => {
  const kind = fc.constantFrom('model' as const, 'property' as const, 'relation' as const)
  const ascii = fc.string({ unit: fc.constantFrom(...Array.from('abAB01_- .$')) })
  fc.assert(
    fc.property(kind, ascii, (what, text) => {
      const made = usualName(what, text)
      const isLetters = /^[a-zA-Z0-9$]*$/.test(made)
      const isSame = made.replaceAll('$', '').toLowerCase() === text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()
      return isLetters && isSame
    })
  )
})
