import { join } from 'node:path'
import { readTextFile } from '../config/read-text-file.ts'
import { type AppFolder, isFile } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'

/** What the `server.js` of every generated application holds, line by line, without what varies. */
const usual: readonly RegExp[] = [
  /^['"]use strict['"]$/,
  /^(var|const|let) \w+ = require\(['"](loopback|loopback-boot|path)['"]\)$/,
  /^(var|const|let) app = (module\.exports = )?loopback\(\)$/,
  /^module\.exports = app$/,
  /^app\.start = (function ?\(\)|\(\) =>) ?\{$/,
  /^return app\.listen\((function ?\(\)|\(\) =>) ?\{$/,
  /^app\.emit\(['"]started['"]\)$/,
  /^(var|const|let) baseUrl = app\.get\(['"]url['"]\)\.replace\(/,
  /^console\.log\(.*(baseUrl|explorerPath).*\)$/,
  /^if \(app\.get\(['"]loopback-component-explorer['"]\)\) ?\{$/,
  /^(var|const|let) explorerPath = app\.get\(['"]loopback-component-explorer['"]\)\.mountPath$/,
  /^boot\(app, __dirname(, (function ?\(err\)|\(?err\)? =>) ?\{|\))$/,
  /^if \(err\) throw err$/,
  /^if \(require\.main === module\) ?\{?$/,
  /^app\.start\(\)$/,
  /^[\s)}\]]*$/
]

/** Tells the report when `server/server.js`, which is not run, holds more than the usual start. */
export async function noteServerScript(folder: AppFolder, add: AddNote): Promise<void> {
  const path = join(folder.serverDir, 'server.js')
  if (!(await isFile(path))) return
  const lines = unusualLines(await readTextFile(path))
  if (lines.length === 0) return
  const shown = lines.slice(0, 3).map(({ number }) => `line ${number}`)
  const more = lines.length > shown.length ? ` and ${lines.length - shown.length} more` : ''
  add(
    'ignored',
    { file: folder.nameOf(path) },
    `this file is not run, and it holds more than the usual start: ${shown.join(', ')}${more}`,
    { advice: 'move these lines into a script of server/boot' }
  )
}

/** The lines of a `server.js` that do something of their own. */
export function unusualLines(source: string): { number: number; text: string }[] {
  const withoutBlocks = source.replace(/\/\*[\s\S]*?\*\//g, (block) => block.replace(/[^\n]/g, ''))
  const lines = withoutBlocks.split('\n').map((line, index) => ({ number: index + 1, text: bare(line) }))
  return lines.filter(({ text }) => !usual.some((pattern) => pattern.test(text)))
}

/** A line without comment, blanks and its last punctuation. */
function bare(line: string): string {
  return line
    .replace(/(^|\s)\/\/.*$/, '')
    .trim()
    .replace(/[;,]+$/, '')
}
