import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'

/** Endings of the files that an application is made of: code, and its definitions. */
const ownEnding = /\.(?:[cm]?[jt]s|json)$/

const isHidden = (part: string): boolean => part === 'node_modules' || (part.startsWith('.') && part.length > 1)

/** Files that data sources of the application keep their records in; what cannot be read names none. */
function dataFilesIn(dir: string): ReadonlySet<string> {
  const folders = [dir, join(dir, 'server')]
  return new Set(folders.flatMap((folder) => namesIn(folder).flatMap((name) => filesNamedBy(join(folder, name)))))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^datasources\b.*\.json$/.test(name))
  } catch {
    return []
  }
}

function filesNamedBy(path: string): readonly string[] {
  try {
    const settings: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const files = Object.values(Object(settings)).map((one: unknown): unknown => Reflect.get(Object(one), 'file'))
    // The connector takes it from the working directory.
    return files.filter((file) => typeof file === 'string').map((file) => resolve(file))
  } catch {
    // It is being written, or damaged: the start reports it.
    return []
  }
}

/** A memory connector keeps its journal and lock beside the data file, however the file was named to it. */
const besideData = /\.(?:journal|lock)$/
const isOpenDataFile = (path: string): boolean => ['.journal', '.lock'].some((ending) => existsSync(path + ending))

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** A log with an object in each line; no definition has two of them. */
function isLog(path: string): boolean {
  if (!path.endsWith('.json')) return false
  try {
    const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n', 2)
    return isObject(first) && isObject(second)
  } catch {
    // It was removed: that changes the application.
    return false
  }
}

/**
 * Makes a predicate for paths whose changes affect the application in the folder `dir`. Files that it writes at run time do
 * not count: logs, uploads, and the files of its data sources.
 */
export function applicationFilesIn(dir: string): {
  isFile: (path: string) => boolean
  isFolder: (path: string) => boolean
} {
  const isFolder = (path: string): boolean => !relative(dir, path).split(sep).some(isHidden)
  // At the end of a process journal and lock go, and the data file is written.
  const written = new Set<string>()
  const isData = (path: string): boolean => {
    if (besideData.test(path)) written.add(path.replace(besideData, ''))
    if (isOpenDataFile(path)) written.add(path)
    return written.has(path) || dataFilesIn(dir).has(path)
  }
  return {
    isFolder,
    isFile: (path) => isFolder(path) && !isData(path) && ownEnding.test(path) && !isLog(path)
  }
}
