import type { MigrationStep } from '@modelwire/core/connector'
import { splitStatement } from './split-statement.ts'

/** What a migration file is written from. */
export interface FileContent {
  readonly title: string
  readonly dataSource: string
  readonly steps: readonly MigrationStep[]
  readonly notes: readonly string[]
  /** False for steps that cannot be part of a transaction. */
  readonly transaction: boolean
}

/** The text of a migration file, an ES module. */
export function fileText({ title, dataSource, steps, notes, transaction }: FileContent): string {
  const up = steps.flatMap(upLines)
  const down = withoutRepeats(steps.toReversed().flatMap(downLines))
  return [
    `// Migration: ${oneLine(title)}`,
    '//',
    '// Review and edit this file before it is applied; afterwards it must stay as it is. Steps run in their order. A step is',
    '// a statement, or code for data: async ({ execute }) => { await execute(statement, parameters) }',
    ...notes.map((note) => `// Note: ${oneLine(note)}`),
    '',
    `export const dataSource = ${quote(dataSource)}`,
    ...(transaction ? [] : ['', '// These steps cannot be part of a transaction.', 'export const transaction = false']),
    '',
    ...listOf('up', up),
    '',
    ...listOf('down', down),
    ''
  ].join('\n')
}

/** What prepares the database does so once. */
function withoutRepeats(lines: readonly string[]): readonly string[] {
  return lines.filter((line, at) => !line.startsWith(`'pragma `) || lines.indexOf(line) === at)
}

function listOf(name: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [`export const ${name} = []`]
  return [`export const ${name} = [`, ...lines.map((line) => `  ${line}`), ']']
}

function upLines({ description, statement, destructive }: MigrationStep): readonly string[] {
  const comment = `// ${oneLine(description)}`
  return destructive ? [comment, ...lossLines(description, statement)] : [comment, ...withComma(textLines(statement))]
}

function downLines({ back }: MigrationStep): readonly string[] {
  if (back === undefined) return []
  const { statements, loses, unknown } = back
  if (unknown !== undefined)
    return [
      '// Cannot be computed: replace this by statements or code that restore it.',
      `{ missing: ${quote(unknown)} },`
    ]
  return statements.flatMap((statement, at) =>
    // What stands before the last statement prepares it.
    loses !== undefined && at === statements.length - 1 ? lossLines(loses, statement) : withComma(textLines(statement))
  )
}

function lossLines(what: string, statement: string): readonly string[] {
  const [first = '', ...rest] = textLines(statement)
  return withComma([
    '{',
    `  losesData: ${quote(what)},`,
    `  statement: ${first}`,
    ...rest.map((line) => `  ${line}`),
    '}'
  ])
}

/** The statement as a text of JavaScript, in several lines where it is long. */
function textLines(statement: string): readonly string[] {
  const parts = splitStatement(statement)
  if (parts.length === 1) return [quote(statement)]
  const last = parts.length - 1
  // Names of MySQL would need an escape for each of their quotes.
  if (statement.includes('`')) return parts.map((part, at) => `${quoteAfter(part)}${at === last ? '' : ' +'}`)
  // Ends of lines become part of the statement, which is the same to the database.
  return parts.map((part, at) => (at === 0 ? '`' : '') + escapeTemplate(part) + (at === last ? '`' : ''))
}

/** The line in quotes, behind its indentation. */
function quoteAfter(line: string): string {
  const text = line.trimStart()
  return ' '.repeat(line.length - text.length) + quote(text)
}

const withComma = (lines: readonly string[]): readonly string[] =>
  lines.map((line, at) => (at === lines.length - 1 ? `${line},` : line))

const escapeTemplate = (text: string): string => text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)

/** In the quotes that need the least escapes. */
function quote(text: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) return JSON.stringify(text)
  if (!/['\\]/.test(text)) return `'${text}'`
  return /["\\]/.test(text) ? `\`${escapeTemplate(text)}\`` : `"${text}"`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
