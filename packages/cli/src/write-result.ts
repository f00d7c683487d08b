import { writeFile } from 'node:fs/promises'
import type { Terminal } from './terminal.ts'

/** Writes what a command made into a file, or to the output where none is named. */
export async function writeResult(text: string, file: string | undefined, terminal: Terminal): Promise<void> {
  if (file === undefined) {
    terminal.out(text.trimEnd())
    return
  }
  await writeFile(file, text)
  terminal.err(`wrote ${file}`)
}
