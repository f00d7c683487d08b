import type { CallerLine, ReportLine, FieldsLine, RowsLine, RuleLine } from '@modelwire/acl'
import { shortName } from '@modelwire/core/connector'
import { type Terminal, writeTable } from '../terminal.ts'

type Names = Exclude<FieldsLine['read'], undefined>

const rowsTexts: Readonly<Record<RowsLine['by'], (text: string) => string>> = {
  owner: () => 'own records',
  path: (text) => `records from which ${text} leads to the caller`,
  function: (text) => `records by ${text}`
}

const namesText = (names: Names): string =>
  'except' in names ? `all except ${names.except.join(', ')}` : names.join(', ') || 'none'

const marks = { allowed: 'yes', denied: 'no', 'some records': 'some', 'some properties': 'yes' } as const

/** Legible on light and dark terminals alike: yellow and blue are not. */
const colours = { yes: 'green', some: 'magenta', no: 'red' } as const

type Mark = keyof typeof colours
const isMark = (text: string): text is Mark => Object.hasOwn(colours, text)

/** A cell of the answers in the colour of its mark; other cells as they are. */
function paintWith(style: Terminal['style']): (cell: string) => string {
  return (cell) => {
    const [, mark = '', note = ''] = /^(\w+)( \[\d+\])?$/.exec(cell) ?? []
    return isMark(mark) ? style(colours[mark], mark) + note : cell
  }
}

/** As rules name it. */
const methodOf = ({ operation }: ReportLine): string => shortName(operation)

/** What of a model's report is written below its table, each with a number that cells refer to. */
class Notes {
  readonly #texts: string[] = []

  /** The mark of a cell, with the number of what it leaves out. */
  mark(line: CallerLine | undefined): string {
    if (line === undefined) return marks.denied
    const { answer } = line
    const limits = answer === 'denied' ? [] : limitsTexts(line)
    return limits.length === 0 ? marks[answer] : `${marks[answer]} [${this.#number(limits.join('; '))}]`
  }

  /** The notes in lines of at most this many characters. */
  lines(columns: number | undefined): string[] {
    return this.#texts.flatMap((text, at) => wrapText(`  [${at + 1}] ${text}`, '      ', columns))
  }

  #number(text: string): number {
    if (!this.#texts.includes(text)) this.#texts.push(text)
    return this.#texts.indexOf(text) + 1
  }
}

const isTooWide = (rows: readonly (readonly string[])[], columns: number | undefined): boolean =>
  columns !== undefined && writeTable(rows).some((line) => line.length > columns)

interface Cells {
  readonly name: string
  readonly callers: readonly string[]
  readonly rows: readonly { readonly method: string; readonly endpoint: string; readonly marks: readonly string[] }[]
}

/** The widest of three tables that fits: with endpoints, without them, and with numbers in place of the callers. */
function tableOf({ name, callers, rows }: Cells, { columns, style }: Pick<Terminal, 'columns' | 'style'>): string[] {
  const paint = paintWith(style)
  const full = [[name, '', ...callers], ...rows.map((row) => [row.method, row.endpoint, ...row.marks])]
  if (!isTooWide(full, columns)) return writeTable(full, paint)
  const short = rows.map((row) => [row.method, ...row.marks])
  const narrow = [[name, ...callers], ...short]
  if (!isTooWide(narrow, columns)) return writeTable(narrow, paint)
  const legend = callers.map((caller, at) => `${at + 1}=${caller}`).join(' ')
  const numbers = callers.map((_, at) => String(at + 1))
  return [...writeTable([[name, ...numbers], ...short], paint), ...wrapText(`  ${legend}`, '  ', columns)]
}

/** Prints one block: a model with its methods as lines and its kinds of callers as columns, and the restrictions of each. */
export function printModel(name: string, lines: readonly ReportLine[], { out, style, columns }: Terminal): void {
  const notes = new Notes()
  const callers = [...new Set(lines.flatMap((line) => line.callers.map(({ caller }) => caller)))]
  const rows = lines.map((line) => ({
    method: `  ${methodOf(line)}`,
    endpoint: line.endpoints[0] ?? '',
    marks: callers.map((caller) => {
      // A kind that the rules of one operation do not name is reported by the kind that it is part of.
      const found = line.callers.find((each) => each.caller === caller)
      return notes.mark(found ?? line.callers.find((each) => each.caller === '$authenticated'))
    })
  }))
  const [head = '', ...texts] = tableOf({ name, callers, rows }, { columns, style })
  out(style('bold', head))
  for (const text of [...texts, ...notes.lines(columns), '']) out(text)
}

/** A rule that decides, and what it keeps its callers to. */
function decisionTexts(text: string, line: CallerLine, columns: number | undefined): readonly string[] {
  const limits = line.answer === 'denied' ? [] : limitsTexts(line)
  return [text, ...limits.flatMap((limit) => wrapText(`    ${limit}`, '      ', columns))]
}

/** Prints every decision with the deciding rule, and the restrictions of its callers. */
export function printRules(lines: readonly ReportLine[], { out, style, columns }: Terminal): void {
  for (const { model, operation, callers } of lines) {
    out(style('bold', `${model}.${operation}`))
    const table = writeTable(callers.map(({ caller, answer, rule }) => [`  ${caller}`, answer, rule]))
    const texts = callers.flatMap((caller, at) => decisionTexts(table[at] ?? '', caller, columns))
    for (const text of texts) out(text)
  }
}

function fieldsTexts({ read, write }: FieldsLine): readonly string[] {
  const [reads, sets] = [read, write].map((names) => names && namesText(names))
  if (reads !== undefined && reads === sets) return [`reads and sets ${reads}`]
  return [...(reads === undefined ? [] : [`reads ${reads}`]), ...(sets === undefined ? [] : [`sets ${sets}`])]
}

/** What a rule keeps its callers to: the records, then the properties. Empty where they may see and change everything. */
function limitsTexts({ rows, fields }: RuleLine): readonly string[] {
  return [
    ...(rows === undefined ? [] : [rowsTexts[rows.by](rows.text)]),
    ...(fields === undefined ? [] : fieldsTexts(fields))
  ]
}

/**
 * The lines of a text, none of which is longer than `width` unless a word is.
 * @param indent stands before each line but the first
 * @param width undefined: one line
 */
function wrapText(text: string, indent: string, width: number | undefined): string[] {
  if (width === undefined) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=\S) +/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = `${indent}${word}`
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
