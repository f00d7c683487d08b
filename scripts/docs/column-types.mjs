import { fitOf } from '../../packages/connector-sql/dist/index.js'
import { discoveredType } from '../../packages/connector-sql/dist/table/column-types.js'
import { postgresqlTypes } from '../../packages/connector-postgresql/dist/postgresql-types.js'
import { kindOfDeclared } from '../../packages/connector-tests/dist/index.js'
import { postgresqlSamples } from '../../packages/connector-tests/dist/postgresql/index.js'
import { toTable } from './to-table.mjs'

const introduction = `# Column types

Which property may have a column of which type, made from the connectors' tables of types by \`pnpm docs:options\`: do not edit
this page. A long test creates a column of each type, and reads, writes, compares, orders and migrates it with each
declaration.

Reading, writing, conditions, orders and migrations work with the type that a column has in the database, whatever made it. A pair that
cannot work is reported by \`modelwire check\`, with the property, the column and its type.

- **yes**: read, written, compared and ordered as the type does it
- **text**: read, written and compared as the strings that the database shows, by code point, as in code; an index serves
  equality if "=" follows
- **cast**: read and written; conditions and orders convert each value, so that no index serves them
- **stored**: read and written; conditions find nothing, and there is no order
- empty: refused in writes, and conditions find nothing

Lists are declared as lists of the property type for their items: \`["string"]\`, or \`Type.Array(Type.String())\`. A condition holds
if an item satisfies it.
`

const declarations = ['string', 'number', 'boolean', 'date', 'buffer', 'geopoint', 'any']

/** The text of docs/column-types.md. */
export function columnTypesDocument() {
  return `${introduction}\n## PostgreSQL\n\n${tableOf(postgresqlTypes, Object.keys(postgresqlSamples))}\n`
}

function tableOf(types, names) {
  const plain = names.filter((name) => !/\(\d+\)$/.test(name))
  const all = [...plain, 'enumeration', 'text[]', 'integer[]', 'timestamp with time zone[]']
  const rows = all.map((name) => {
    const type = name === 'enumeration' ? { ...types.of(name), isOwnForm: () => true } : types.of(name)
    const found = discoveredType(type)
    const declared = typeof found === 'string' ? found : `["${found[0]}"]`
    return [
      `\`${name}\``,
      `\`${declared}\``,
      ...declarations.map((each) => mark(fitOf(type, kindOfDeclared(each, type))))
    ]
  })
  return toTable([['type', 'discovered as', ...declarations], ...rows])
}

function mark({ read, compared, ordered }) {
  if (!read) return ''
  if (compared === false) return ordered === false ? 'stored' : 'yes'
  if (compared === 'native') return ordered === 'text' ? 'text =' : 'yes'
  return compared
}
