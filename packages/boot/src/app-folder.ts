import { statSync, type Stats } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { AppFolderInvalid } from './errors.ts'

/** Who reads the files of an application in place of the file system and of Node. */
export interface FolderSource {
  /** The value of a JSON file; `read` gives what it holds. */
  readonly readJson: (file: string, read: () => unknown) => unknown
  /** What is taken for the exports of a script. */
  readonly loadScript: (folder: AppFolder, path: string) => unknown
}

/** Where an application lies. */
export interface AppFolder {
  /** The folder that holds `server/` and `common/`. */
  readonly root: string
  /** The folder that holds `config.json`: paths in configuration files start there. */
  readonly serverDir: string
  /** Which variants of configuration files count. */
  readonly env: string
  /** A file's name as errors and the report show it: relative to `root`, with forward slashes. */
  readonly nameOf: (path: string) => string
  /** Folders whose packages are looked through for connectors after those of the application. */
  readonly packageFolders: readonly string[]
  /** Absent: files are read, and scripts are run. */
  readonly source?: FolderSource | undefined
}

/** What is known of a folder besides its place. */
export interface FolderParts {
  readonly source?: FolderSource | undefined
  readonly packageFolders?: readonly string[] | undefined
}

/** The environment whose configuration files count: the option, else `NODE_ENV`. LB3: one that is empty is as none. */
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
  if (!isFolder(absolute)) throw new AppFolderInvalid('there is no such folder', { file: absolute })
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
