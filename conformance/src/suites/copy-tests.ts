import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Edit } from './excluded.ts'

/** A folder of that name in a checkout has the tests that run here, so that nothing of the package lies beside them. */
const name = 'run-here'

/**
 * Copies the tests of a checkout, with the edits that let them meet what they test. Returns the folder, within the checkout, whose
 * dependencies they find.
 */
export function copyTests(checkout: string, edits: readonly Edit[]): string {
  const folder = join(checkout, name)
  rmSync(folder, { recursive: true, force: true })
  for (const part of ['test', 'package.json'])
    cpSync(join(checkout, part), join(folder, part), {
      recursive: true,
      filter: (path) => basename(path) !== 'node_modules'
    })
  for (const edit of edits) for (const file of edit.files) applyEdit(join(folder, file), edit)
  return folder
}

/** @throws {TypeError} the file has not the text that is edited: it is another version */
function applyEdit(file: string, { from, to }: Edit): void {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new TypeError(`${file} has no ${JSON.stringify(from)}`)
  writeFileSync(file, text.replaceAll(from, to))
}
