import { type ColumnType, columnTypes } from '@modelwire/connector-sql'

/** A column may have any words for its type: what they contain decides, as SQLite itself goes by it. */
const types: readonly ColumnType[] = [
  { name: 'boolean', written: /^bool/, kind: 'boolean', makes: 'boolean' },
  { name: 'bigint', written: /^bigint$/, kind: 'number', discovered: 'integer', makes: 'integer', digits: 'whole' },
  // Milliseconds, as LoopBack's driver stores a date.
  { name: 'datetime', written: /^(?:date|timestamp)/, kind: 'date', makes: 'date' },
  // Text columns, whose type name shows the content.
  { name: 'json text', written: /^json/, kind: 'json', makes: 'json' },
  { name: 'point text', written: /^point/, kind: 'point', makes: 'point' },
  { name: 'text', written: /char|clob|text|uuid|enum/, kind: 'text', makes: 'text', isText: true },
  { name: 'blob', written: /blob|binary/, kind: 'binary', makes: 'binary' },
  {
    name: 'integer',
    written: /^(?:tiny|small|medium|big)?int(?:eger)?\b|^int[248]\b/,
    kind: 'number',
    digits: 'whole',
    counts: true
  },
  // Exact numbers are texts: this type would have SQLite turn their digits into a number.
  { name: 'numeric', written: /^(?:numeric|decimal|dec|fixed)\b/, kind: 'number', makes: 'number', digits: 'decimal' },
  { written: /int|serial|real|floa|doub|num|dec/, kind: 'number' },
  { written: /date|time/, kind: 'date', discovered: 'string', isText: true },
  { written: /^/, discovered: 'string', isText: true }
]

/** The types of columns that SQLite has. */
export const sqliteTypes = columnTypes(types, {
  comparesAny: true,
  spell: ({ name, size, rest }) => `${name}${size}${rest}`
})
