import type { Terminal } from '#src/terminal.ts'

/** A terminal that remembers. */
export interface FakeTerminal extends Terminal {
  readonly outText: () => string
  readonly errText: () => string
  readonly asked: string[]
}

/** @param answer what somebody answers to questions; nobody is there when absent */
export function fakeTerminal(answer?: boolean | string): FakeTerminal {
  const out: string[] = []
  const err: string[] = []
  const asked: string[] = []
  return {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    isInteractive: answer !== undefined,
    columns: undefined,
    style: (_style, text) => text,
    progress: () => {},
    confirm: async (question) => {
      asked.push(question)
      return answer === true
    },
    ask: async (question) => {
      asked.push(question)
      return String(answer)
    },
    env: {},
    outText: () => out.join('\n'),
    errText: () => err.join('\n'),
    asked
  }
}
