import type { MigrationStep } from '@modelwire/core/connector'
import { CommandError } from '../errors.ts'

/** Statements that are longer are written in several lines. */
const longest = 100

/** Names and texts in quotes, which hold no brackets of the statement. Backslashes make it too hard to tell. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|[(),]|[^'"`(),]+/g

const depthOf: Readonly<Record<string, number>> = { '(': 1, ')': -1 }

const splitters: readonly (readonly [RegExp, (tokens: readonly string[]) => readonly string[]])[] = [
  [/^create table /i, splitColumns],
  [/^create (?:or replace )?(?:function|trigger) /i, wrapAtCommas]
]

/** The contents of a migration file. */
export interface FileContent {
  readonly title: string
  readonly dataSource: string
  readonly steps: readonly MigrationStep[]
  readonly notes: readonly string[]
  /** False for steps that cannot run in a transaction. */
  readonly transaction: boolean
}

/** The text of a migration file, an ES module. */
export function fileText({ title, dataSource, steps, notes, transaction }: FileContent): string {
  const up = steps.flatMap(upLines)
  const down = withoutRepeats(steps.toReversed().flatMap(downLines))
  return [
    `// Migration: ${oneLine(title)}`,
    '//',
    '// Review and edit this file before it is applied; do not change it afterwards. Steps run in order. A step is',
    '// a statement, or code for data: async ({ execute }) => { await execute(statement, parameters) }',
    ...notes.map((note) => `// Note: ${oneLine(note)}`),
    '',
    `export const dataSource = ${quote(dataSource)}`,
    ...(transaction ? [] : ['', '// These steps cannot run in a transaction.', 'export const transaction = false']),
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

/**
 * The lines of a long `create table`, one per column, or of a long trigger. Other statements, and those with backslashes or
 * newlines, stay on one line. Joined by newlines they are the same statement.
 */
export function splitStatement(statement: string): readonly string[] {
  if (statement.length <= longest || /[\\\n\r]/.test(statement)) return [statement]
  const split = splitters.find(([kind]) => kind.test(statement))?.[1]
  const tokens = Array.from(statement.matchAll(token), ([text]) => text)
  return split === undefined || tokens.join('') !== statement ? [statement] : split(tokens).join('\n').split('\n')
}

/** Lines that end at a comma and are about as long as they may be. The body of a function is a text, whose lines are wrapped as well. */
function wrapAtCommas(tokens: readonly string[]): readonly string[] {
  const lines: string[] = ['']
  for (const text of tokens) {
    const line = (lines.pop() ?? '') + (text.length > longest ? wrapBody(text) : text)
    lines.push(...(text === ',' && line.length > longest ? [line, '  '] : [line]))
  }
  return lines.map((line) => (line.startsWith('  ') ? `  ${line.trim()}` : line.trimEnd()))
}

function wrapBody(text: string): string {
  if (!text.startsWith("'")) return text
  const body = text.slice(1, -1).replaceAll("''", "'")
  const lines = wrapAtCommas(Array.from(body.matchAll(token), ([part]) => part))
  return `'\n  ${lines.join('\n').replaceAll("'", "''")}'`
}

function splitColumns(tokens: readonly string[]): readonly string[] {
  const lines: string[] = ['']
  let depth = 0
  for (const text of tokens) {
    const isOpening = text === '(' && depth === 0
    const isClosing = text === ')' && depth === 1
    depth += depthOf[text] ?? 0
    if (isClosing) lines.push(text)
    else lines.push((lines.pop() ?? '') + text)
    if (isOpening || (text === ',' && depth === 1)) lines.push('  ')
  }
  return lines.map((line) => (line.startsWith('  ') ? `  ${line.trim()}` : line.trimEnd()))
}

/**
 * The step at which a migration resumes.
 * @throws {CommandError} USAGE: it is not a number from 1
 */
export function readResume(written: string | undefined): number | undefined {
  return written === undefined ? undefined : readCount('--resume', written)
}

/**
 * How many migrations to revert: 1 if no number is given.
 * @throws {CommandError} USAGE: it is not a number from 1
 */
export function readDown(written: string | true): number {
  return written === true ? 1 : readCount('--down', written)
}

function readCount(option: string, written: string): number {
  const number = Number(written)
  if (Number.isInteger(number) && number >= 1) return number
  throw new CommandError('USAGE', `${option} must be an integer of at least 1, not ${written}`)
}
