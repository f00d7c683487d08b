import { readTextFile } from '../config/read-text-file.ts'
import type { AppFolder } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'
import { loadScript } from './load-script.ts'

interface Sign {
  readonly pattern: RegExp
  /** The version that it concerns; both when absent. */
  readonly version?: 2 | 3
  readonly reason: string
  readonly advice: string
}

/** What shows in the text of a script that it relies on something that is not here. */
const signs: readonly Sign[] = [
  {
    pattern:
      /\b(?:loopback|app)\.(?:bodyParser|compress|cookieParser|cookieSession|csrf|directory|favicon|logger|methodOverride|responseTime|session|timeout|vhost)\(/,
    version: 3,
    reason: 'this middleware of Express is no part of LoopBack here: require the package that it came from',
    advice: 'npm install the package, require it and use it in its place'
  }
]

/** Loads a script of the application: gives what it exports. */
export type LoadScript = (path: string) => unknown

/** Loads scripts, and reports what each of them uses that is not supported. */
export function createScriptLoader(folder: AppFolder, version: 2 | 3, add: AddNote): LoadScript {
  return (path) => {
    noteScriptSource(folder, path, version, add)
    return loadScript(folder, path)
  }
}

/** Reports lines of a script that use what is not supported. */
export function noteScriptSource(folder: AppFolder, path: string, version: 2 | 3, add: AddNote): void {
  const lines = readTextFile(path).split('\n')
  for (const { pattern, reason, advice, version: only = version } of signs) {
    const line = only === version ? lines.findIndex((text) => pattern.test(text)) + 1 : 0
    if (line > 0) add('differs', { file: folder.nameOf(path), key: `line ${line}` }, reason, { advice })
  }
}
