import { statSync, type Stats } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { AppFolderInvalid } from '../../errors.ts'

/** Reads the files of an application instead of the file system and Node. */
export interface FolderSource {
  /** Returns the value of a JSON file; `read` returns what is on disk. */
  readonly readJson: (file: string, read: () => unknown) => unknown
  /** Returns what is used as the exports of a script. */
  readonly loadScript: (folder: AppFolder, path: string) => unknown
}

/** The location of an application. */
export interface AppFolder {
  /** The folder that holds `server/` and `common/`. */
  readonly root: string
  /** The folder that contains `config.json`: paths in configuration files are relative to it. */
  readonly serverDir: string
  /** The environment whose configuration files are used. */
  readonly env: string
  /** A file's name as errors and the report show it: relative to `root`, with forward slashes. */
  readonly nameOf: (path: string) => string
  /** Folders whose packages are searched for connectors, after those of the application. */
  readonly packageFolders: readonly string[]
  /** Absent: files are read, and scripts are run. */
  readonly source?: FolderSource | undefined
}

/** Facts about a folder in addition to its location. */
export interface FolderParts {
  readonly source?: FolderSource | undefined
  readonly packageFolders?: readonly string[] | undefined
}

/** The environment whose configuration files are used: the option, else `NODE_ENV`. LB3: an empty one counts as absent. */
export const environmentOf = (
  env: string | undefined,
  variables: Readonly<Record<string, string | undefined>>
): string => env ?? (variables['NODE_ENV'] || 'development')

/**
 * Finds an application: `dir` is its folder, or the `server` folder of it.
 * @throws {AppFolderInvalid} `dir` is not a folder
 */
export function findAppFolder(dir: string, env: string, { source, packageFolders = [] }: FolderParts = {}): AppFolder {
  const absolute = resolve(dir)
  if (!isFolder(absolute)) throw new AppFolderInvalid('the folder does not exist', { file: absolute })
  const server = join(absolute, 'server')
  const hasServer = isFolder(server)
  const isRoot = hasServer || isFile(join(absolute, 'package.json'))
  const root = isRoot ? absolute : resolve(absolute, '..')
  return {
    root,
    serverDir: hasServer ? server : absolute,
    env,
    nameOf: (path) => nameWithin(root, path),
    packageFolders,
    source
  }
}

/** True when `path` is a folder. */
export function isFolder(path: string): boolean {
  return find(path)?.isDirectory() ?? false
}

/** True when `path` is a file. */
export function isFile(path: string): boolean {
  return find(path)?.isFile() ?? false
}

function find(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function nameWithin(root: string, path: string): string {
  const name = relative(root, path)
  return name.startsWith('..') || isAbsolute(name) ? path : name.split(sep).join('/')
}
