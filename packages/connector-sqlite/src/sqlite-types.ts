import { type ColumnType, columnTypes } from '@modelwire/connector-sql'

/** A column may have any words for its type: what they contain decides, as SQLite itself goes by it. */
const types: readonly ColumnType[] = [
  { name: 'boolean', written: /^bool/, kind: 'boolean', keeps: /^/, makes: 'boolean' },
  {
    name: 'bigint',
    written: /^bigint$/,
    kind: 'number',
    keeps: /^/,
    discovered: 'integer',
    makes: 'integer',
    digits: 'whole'
  },
  // Milliseconds, as LoopBack's driver stores a date.
  { name: 'datetime', written: /^(?:date|timestamp)/, kind: 'date', keeps: /^/, makes: 'date' },
  // Text columns, whose type name shows the content.
  { name: 'json text', written: /^json/, kind: 'json', keeps: /^/, makes: 'json' },
  { name: 'point text', written: /^point/, kind: 'point', keeps: /^/, makes: 'point' },
  { name: 'text', written: /char|clob|text|uuid|enum/, kind: 'text', keeps: /^/, makes: 'text', isText: true },
  { name: 'blob', written: /blob|binary/, kind: 'binary', keeps: /^/, makes: 'binary' },
  {
    name: 'integer',
    written: /^(?:tiny|small|medium|big)?int(?:eger)?\b|^int[248]\b/,
    kind: 'number',
    keeps: /^/,
    digits: 'whole',
    counts: true
  },
  // Exact numbers are texts: this type would have SQLite turn their digits into a number.
  {
    name: 'numeric',
    written: /^(?:numeric|decimal|dec|fixed)\b/,
    kind: 'number',
    keeps: /^/,
    makes: 'number',
    digits: 'decimal'
  },
  { written: /int|serial|real|floa|doub|num|dec/, kind: 'number', keeps: /^/ },
  { written: /date|time/, kind: 'date', keeps: /^/, discovered: 'string', isText: true },
  { written: /^/, discovered: 'string', isText: true }
]

/** The types of columns that SQLite has. */
export const sqliteTypes = columnTypes(types, {
  comparesAny: true,
  spell: ({ name, size, rest }) => `${name}${size}${rest}`
})
