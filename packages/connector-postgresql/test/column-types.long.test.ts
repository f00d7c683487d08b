import { postgresql } from '@modelwire/connector-postgresql'
import { fitOf } from '@modelwire/connector-sql'
import { tryTypes, type TypeSamples } from '@modelwire/connector-tests'
import { createTestDatabase, internalTypes, postgresqlSamples, runOn } from '@modelwire/connector-tests/postgresql'
import t from 'tap'
import { postgresqlTypes } from '#src/postgresql-types.ts'

void t.test(
  'each type of the server does with each property what its verdict says',
  { timeout: 900_000 },
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    const [found] = await runOn(
      database.url,
      "select typname as name, format_type(y.oid, null) as written from pg_type y join pg_namespace n on n.oid = y.typnamespace where nspname = 'pg_catalog' and typtype in ('b', 'r', 'm') and typcategory <> 'A'"
    )
    const known = new Set(Object.keys(postgresqlSamples).map((type) => type.replace(/\(\d+\)$/, '')))
    const missing = (found?.rows ?? []).filter(({ name, written }) => !internalTypes.has(name) && !known.has(written))
    t.strictSame(missing, [], 'every type has samples')
    await runOn(
      database.url,
      "create type mood as enum ('sad', 'happy'); create domain word as varchar(99); create domain amount as integer; create type pair as (a int, b text)"
    )
    const own = { mood: ['sad', 'happy'], word: ['a', 'b'], amount: ['9', '10'], pair: ['(1,x)', '(2,y)'] } as const
    const scalars = { ...postgresqlSamples, ...own }
    const only = process.env['TYPES']?.split('|')
    const all = Object.entries({ ...scalars, ...listsOf(scalars) }).filter(
      ([type]) => only === undefined || only.includes(type)
    )
    const types = postgresqlTypes
    const bases = new Map([
      ['word', 'varchar'],
      ['amount', 'integer']
    ])
    await tryTypes(t, Object.fromEntries(all), {
      types: {
        ...types,
        of: (written) => types.of(bases.get(written) ?? written)
      },
      fitOf,
      connector: () => postgresql({ url: database.url, max: 4 }),
      run: async (statements) => runOn(database.url, statements.join(';\n')),
      quote: (name) => `"${name}"`
    })
  }
)

/** Lists of both values of each type, and of the second one alone. */
function listsOf(scalars: TypeSamples): TypeSamples {
  const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  return Object.fromEntries(
    Object.entries(scalars).map(([type, [low, high]]) => {
      const separator = type === 'box' ? ';' : ','
      return [`${type}[]`, [`{${quote(low)}${separator}${quote(high)}}`, `{${quote(high)}}`]] as const
    })
  )
}
