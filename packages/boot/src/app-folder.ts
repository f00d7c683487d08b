import { stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { AppFolderInvalid } from './errors.ts'

/** Who reads the files of an application in place of the file system and of Node. */
export interface FolderSource {
  /** The value of a JSON file; `read` gives what it holds. */
  readonly readJson: (file: string, read: () => Promise<unknown>) => Promise<unknown>
  /** What is taken for the exports of a script. */
  readonly loadScript: (folder: AppFolder, path: string) => Promise<unknown>
}

/** Where an application lies. */
export interface AppFolder {
  /** The folder that holds `server/` and `common/`. */
  readonly root: string
  /** The folder that holds `config.json`: paths in configuration files start there. */
  readonly serverDir: string
  /** Which variants of configuration files count. */
  readonly env: string
  /** A file's name as errors and the report tell it: relative to `root`, with forward slashes. */
  readonly nameOf: (path: string) => string
  /** Absent: files are read, and scripts are run. */
  readonly source?: FolderSource | undefined
}

/**
 * Finds an application: `dir` is its folder, or the `server` folder of it.
 * @throws {AppFolderInvalid} `dir` is no folder
 */
export async function findAppFolder(dir: string, env: string, source?: FolderSource): Promise<AppFolder> {
  const given = resolve(dir)
  if (!(await isFolder(given))) throw new AppFolderInvalid('there is no such folder', { file: given })
  const server = join(given, 'server')
  const hasServer = await isFolder(server)
  const root = hasServer ? given : resolve(given, '..')
  return { root, serverDir: hasServer ? server : given, env, nameOf: (path) => nameWithin(root, path), source }
}

/** True when `path` is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return (await find(path))?.isDirectory() ?? false
}

/** True when `path` is a file. */
export async function isFile(path: string): Promise<boolean> {
  return (await find(path))?.isFile() ?? false
}

async function find(path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(path)
  } catch {
    return undefined
  }
}

function nameWithin(root: string, path: string): string {
  const name = relative(root, path)
  return name.startsWith('..') || isAbsolute(name) ? path : name.split(sep).join('/')
}
