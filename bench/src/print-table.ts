import type { Spread } from './statistics.ts'

/** One column: its heading, and how wide it is at least. */
export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => string
  /** Text stands at the left, numbers at the right. */
  readonly side?: 'left' | 'right'
}

/** The rows as a table of plain text. */
export function printTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [columns.map(({ heading }) => heading), ...rows.map((row) => columns.map(({ cell }) => cell(row)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  const lines = cells.map((line) =>
    line
      .map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.side))
      .join('  ')
      .trimEnd()
  )
  const rule = '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2))
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

function pad(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  return side === 'left' ? text.padEnd(width) : text.padStart(width)
}

/** A number with about three digits that mean something: 1,234 or 12.3 or 0.123. */
export function formatNumber(value: number): string {
  const digits = [100, 10, 1].findIndex((limit) => Math.abs(value) >= limit)
  return value.toLocaleString('en-US', {
    maximumFractionDigits: digits === -1 ? 3 : digits,
    minimumFractionDigits: digits === -1 ? 3 : digits
  })
}

/** A figure that spreads wider says nothing. */
export const widest = 0.1

/** A median with its spread: `12.3 ±4 %`; a figure that spreads too wide says that it is not measured. */
export function formatSpread({ median, spread }: Spread, text = formatNumber(median)): string {
  if (Number.isNaN(median)) return 'not measured'
  return `${text} ±${Math.round(spread * 100)} %${spread <= widest ? '' : ', not measured'}`
}

const markdownRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** The rows as a table of Markdown. */
export function markdownTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return [
    markdownRow(columns.map(({ heading }) => heading)),
    markdownRow(columns.map(({ side }) => (side === 'left' ? '---' : '---:'))),
    ...rows.map((row) => markdownRow(columns.map(({ cell }) => cell(row))))
  ].join('\n')
}
