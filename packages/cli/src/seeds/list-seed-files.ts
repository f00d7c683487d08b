import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { SeedFolderMissing, SeedNameUnknown } from '../errors.ts'

/** A file in the seeds folder. */
export interface SeedFile {
  /** Without its extension: the name of a model, for JSON. */
  readonly name: string
  /** Relative to the folder, with forward slashes. */
  readonly file: string
  readonly path: string
}

/** The files of a folder, by type. */
export interface SeedFiles {
  readonly json: readonly SeedFile[]
  readonly scripts: readonly SeedFile[]
}

const scriptEndings = new Set(['.mjs', '.cjs', '.js'])

const endingOf = ({ path }: SeedFile): string => parse(path).ext

async function listFolder(path: string, prefix: string): Promise<readonly SeedFile[]> {
  const entries = await readdir(path, { withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ name: parse(name).name, file: prefix + name, path: join(path, name) }))
    .toSorted((first, second) => (first.file < second.file ? -1 : 1))
}

/**
 * The files of a folder, and of its subfolder named after the environment.
 * @param only names of files without their endings; all when absent
 * @throws {SeedFolderMissing} there is no such folder
 * @throws {SeedNameUnknown} `only` names no file
 */
export async function listSeedFiles(
  dir: string,
  environment: string,
  only: readonly string[] | undefined
): Promise<SeedFiles> {
  const general = await listFolder(dir, '').catch((error: unknown) => {
    throw new SeedFolderMissing(`the folder ${dir} cannot be read`, {}, { cause: error })
  })
  // Few applications have records for one environment alone.
  const special = await listFolder(join(dir, environment), `${environment}/`).catch(() => [])
  const all = [...general, ...special]
  const unknown = only?.find((name) => !all.some((file) => file.name === name))
  if (unknown !== undefined) throw new SeedNameUnknown(`no file in ${dir} is named "${unknown}"`)
  const wanted = all.filter(({ name }) => only?.includes(name) ?? true)
  return {
    json: wanted.filter((file) => endingOf(file) === '.json'),
    scripts: wanted.filter((file) => scriptEndings.has(endingOf(file)))
  }
}
