import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Application, folderBeside, runFolder, type Side } from './application.ts'
import { namedRoles } from './named-roles.ts'
import { seedScript } from './seed-script.ts'

const run = promisify(execFile)

/** Packages of LoopBack itself; components that others published stay. */
const loopbackPackage =
  /^(?:loopback|strong-remoting|loopback-(?:boot|datasource-juggler|component-(?:explorer|oauth2|passport|storage)|connector(?:-.*)?))$/

async function removeLoopback(modules: string): Promise<void> {
  const found = (await readdir(modules)).filter((name) => loopbackPackage.test(name))
  await Promise.all(found.map((name) => rm(join(modules, name), { recursive: true })))
}

/** Packages of Modelwire that are installed beside an application: its connectors and its storage of files. */
async function addConnectors(modules: string): Promise<void> {
  const packages = join(import.meta.dirname, '..', '..', '..', 'packages')
  const names = (await readdir(packages)).filter((name) => /^(?:connector-(?!tests|memory|sql$)|storage$)/.test(name))
  await mkdir(join(modules, '@modelwire'), { recursive: true })
  await Promise.all(
    names.map(async (name) => {
      await rm(join(modules, '@modelwire', name), { recursive: true, force: true })
      await symlink(join(packages, name), join(modules, '@modelwire', name), 'dir')
    })
  )
}

/**
 * The installed packages of an application as Modelwire gets them, made once by hard links beside `dir`: those of LoopBack are
 * missing unless `originals` are kept.
 */
async function modulesForModelwire(application: Application, originals: boolean): Promise<string> {
  const { dir } = application
  const folder = folderBeside(application, originals ? 'with-originals' : 'without-originals')
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) {
    await mkdir(folder, { recursive: true })
    await run('cp', ['-al', join(dir, 'node_modules'), modules])
    // Packages that look for files of the application look beside themselves.
    for (const name of ['server', 'common']) await symlink(join(dir, name), join(folder, name), 'dir')
    if (!originals) await removeLoopback(modules)
  }
  await addConnectors(modules)
  return modules
}

const isOwn = (path: string): boolean => basename(path) !== 'node_modules' && basename(path) !== '.git'

const bootFolder = ({ main }: Application): string => join(dirname(main), 'boot')

/** A new copy of an application's own files for one side, without what earlier runs left. */
export async function prepareFolder(application: Application, side: Side, originals: boolean): Promise<string> {
  const { dir, credentials, reset } = application
  const folder = runFolder(application, side)
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  await cp(dir, folder, { recursive: true, filter: isOwn, verbatimSymlinks: true })
  const modules = side === 'loopback' ? join(dir, 'node_modules') : await modulesForModelwire(application, originals)
  await symlink(modules, join(folder, 'node_modules'), 'dir')
  const { ownerRoles = await namedRoles(folder) } = credentials
  await mkdir(join(folder, bootFolder(application)), { recursive: true })
  await writeFile(
    join(folder, bootFolder(application), 'zz-conformance-seed.js'),
    seedScript({ ...credentials, ownerRoles })
  )
  if (reset !== undefined)
    await run('bash', ['-c', reset], { cwd: folder, env: { ...process.env, SIDE: side, RUN_DIR: folder } })
  return folder
}
