import type { FieldsLine, RowsLine, RuleLine } from '@modelwire/acl'

type Names = Exclude<FieldsLine['read'], undefined>

const rowsTexts: Readonly<Record<RowsLine['by'], (text: string) => string>> = {
  owner: () => 'own records',
  path: (text) => `records from which ${text} leads to the caller`,
  function: (text) => `records by ${text}`
}

const namesText = (names: Names): string =>
  'except' in names ? `all but ${names.except.join(', ')}` : names.join(', ') || 'none'

function fieldsTexts({ read, write }: FieldsLine): readonly string[] {
  const [reads, sets] = [read, write].map((names) => names && namesText(names))
  if (reads !== undefined && reads === sets) return [`reads and sets ${reads}`]
  return [...(reads === undefined ? [] : [`reads ${reads}`]), ...(sets === undefined ? [] : [`sets ${sets}`])]
}

/** What a rule keeps its callers to: the records, then the properties. Empty where they may see and change everything. */
export function limitsTexts({ rows, fields }: RuleLine): readonly string[] {
  return [
    ...(rows === undefined ? [] : [rowsTexts[rows.by](rows.text)]),
    ...(fields === undefined ? [] : fieldsTexts(fields))
  ]
}
