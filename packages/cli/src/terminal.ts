import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import { printable, visible } from './visible.ts'

type Style = Parameters<typeof styleText>[0]

/** The input and output of a command. */
export interface Terminal {
  /** Results. */
  readonly out: (line: string) => void
  /** Everything else: progress, warnings, errors. */
  readonly err: (line: string) => void
  /** A person reads along: colours, questions and a readable log make sense. */
  readonly isInteractive: boolean
  /** Characters of a line of `out`; undefined where lines may have any length, as in files. */
  readonly columns: number | undefined
  /** Colours a text of `out`, where that is a terminal. */
  readonly style: (style: Style, text: string) => string
  /** Shows how far a long piece of work is, in place of what it showed before. */
  readonly progress: (text: string) => void
  /** Asks a question that is answered with yes or no; only where `isInteractive`. */
  readonly confirm: (question: string) => Promise<boolean>
  /** Asks a question and returns the answered line; only where `isInteractive`. */
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
