import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import { writeFile } from 'node:fs/promises'

/** Characters that a terminal obeys, and those that change the direction of a text. */
const unseen = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

const escape = String.fromCodePoint(27)

/** Colours, as `style` writes them. */
const colours = new RegExp(`(${escape}\\[[\\d;]*m)`)

const written = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const keepBlank = (character: string): string =>
  character === '\n' || character === '\t' ? character : written(character)

type Style = Parameters<typeof styleText>[0]

/** The input and output of a command. */
export interface Terminal {
  /** Writes results. */
  readonly out: (line: string) => void
  /** Writes everything else: progress, warnings, errors. */
  readonly err: (line: string) => void
  /** A person is reading: colours, questions and a readable log make sense. */
  readonly isInteractive: boolean
  /** Maximum characters of a line of `out`; undefined if lines may have any length, as in files. */
  readonly columns: number | undefined
  /** Colours a text of `out`, if that is a terminal. */
  readonly style: (style: Style, text: string) => string
  /** Shows the progress of a long task, replacing the previous one. */
  readonly progress: (text: string) => void
  /** Asks a yes-or-no question; only if `isInteractive`. */
  readonly confirm: (question: string) => Promise<boolean>
  /** Asks a question and returns the answered line; only if `isInteractive`. */
  readonly ask: (question: string) => Promise<string>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** NO_COLOR and FORCE_COLOR as no-color.org and Node have them. */
function wantsColour(env: Terminal['env'], isTTY: boolean): boolean {
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0'
  return isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(`${question} `)
  } finally {
    lines.close()
  }
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process
  const hasColour = wantsColour(env, stdout.isTTY)
  const isLive = stderr.isTTY && env['TERM'] !== 'dumb'
  let shown = false
  const clear = (): void => {
    if (shown) stderr.write('\r\u001B[K')
    shown = false
  }
  return {
    out: (line) => {
      clear()
      stdout.write(`${printable(line)}\n`)
    },
    err: (line) => {
      clear()
      stderr.write(`${printable(line)}\n`)
    },
    isInteractive: stdout.isTTY && stdin.isTTY,
    columns: stdout.isTTY ? stdout.columns || 80 : undefined,
    style: (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text),
    progress: (text) => {
      if (!isLive) return
      stderr.write(`\r\u001B[K${visible(text).slice(0, (stderr.columns || 80) - 1)}`)
      shown = text !== ''
    },
    confirm: async (question) => /^y(?:es)?$/i.test((await ask(`${question} [y/N]`)).trim()),
    ask,
    env
  }
}

/**
 * Formats rows as columns, each as wide as its widest cell. Cells must not contain colours yet, since their length counts.
 * @param paint colours a cell of the finished table
 */
export function writeTable(
  rows: readonly (readonly string[])[],
  paint: (cell: string) => string = (cell) => cell
): string[] {
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return rows.map((row) => {
    const last = row.findLastIndex((cell) => cell !== '')
    return row
      .slice(0, last + 1)
      .map((cell, at) => paint(cell) + (at === last ? '' : ' '.repeat((widths[at] ?? 0) - cell.length)))
      .join('  ')
      .trimEnd()
  })
}

/** Writes the result of a command to a file, or to the output if none is named. */
export async function writeResult(text: string, file: string | undefined, terminal: Terminal): Promise<void> {
  if (file === undefined) {
    terminal.out(text.trimEnd())
    return
  }
  await writeFile(file, text)
  terminal.err(`wrote ${file}`)
}

/** A name from an untrusted source, with control characters escaped. */
export function visible(name: string): string {
  return name.replaceAll(unseen, written)
}

/** A line that is safe to print: without control sequences other than colours, newlines and tabs. */
export function printable(line: string): string {
  return line
    .split(colours)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(unseen, keepBlank)))
    .join('')
}
