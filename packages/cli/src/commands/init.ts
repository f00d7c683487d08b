import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { jsonFiles } from '../init/json-files.ts'
import { databases, type NewDatabase } from '../init/databases.ts'
import { type ProjectFiles, type Style, styles } from '../init/new-project.ts'
import { typeboxFiles } from '../init/typebox-files.ts'
import type { Terminal } from '../terminal.ts'
import type { DefineCommand } from './command.ts'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Versions of packages of others that new projects were tried with. */
const others: Readonly<Record<string, string>> = {
  '@sinclair/typebox': '0.34.52',
  '@types/node': '20.19.43',
  fastify: '5.12.8',
  // TypeScript 7 has no compiler API: openapi-typescript, typescript-eslint and plugins of editors do not run with it.
  typescript: '5.9.3'
}

/** The parts of a package.json that version ranges are taken from; that of an installed package has a version. */
interface Manifest {
  readonly version: string
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const own = fileURLToPath(import.meta.resolve('modelwire/package.json'))

const makers = { typebox: typeboxFiles, json: jsonFiles } as const

const question =
  'How do you want to declare models?\n' +
  '  typebox  in TypeScript, with types everywhere\n' +
  '  json     in the JSON files and folders of LoopBack 3\n' +
  'typebox or json? [typebox]'

function styleNamed(text: string): Style {
  const style = styles.find((name) => name === text)
  if (style !== undefined) return style
  throw new CommandError('USAGE', `the style must be ${styles.join(' or ')}, not ${text}`)
}

function databaseNamed(text: string): NewDatabase {
  const database = databases.find(({ name }) => name === text)
  if (database !== undefined) return database
  const names = databases.map(({ name }) => name).join(', ')
  throw new CommandError('USAGE', `the database must be one of ${names}, not ${text}`)
}

/** The value of the command line, else the answer to a question, else the default. */
async function chooseStyle(value: string | undefined, terminal: Terminal): Promise<Style> {
  if (value !== undefined) return styleNamed(value)
  if (!terminal.isInteractive) return 'typebox'
  const answer = (await terminal.ask(question)).trim().toLowerCase()
  return answer === '' ? 'typebox' : styleNamed(answer)
}

/** @throws {CommandError} FOLDER_NOT_EMPTY: there are files already, or it is one itself */
async function refuseFilled(path: string): Promise<void> {
  const names = await namesIn(path)
  // A repository that was just made is as good as empty.
  if (names.every((name) => name === '.git')) return
  throw new CommandError('FOLDER_NOT_EMPTY', `${path} is not empty: name a new or empty folder`)
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') return [basename(path)]
    throw error
  }
}

/** A name that npm takes, made from that of the folder. */
function packageName(path: string): string {
  const name = basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
  return name === '' || name === 'node_modules' ? 'my-api' : name
}

async function writeFiles(path: string, files: ProjectFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), content)
  }
}

function printNextSteps(path: string, files: ProjectFiles, { out, style }: Terminal): void {
  out(`Created a project in ${path}:`)
  for (const name of Object.keys(files)) out(`  ${name}`)
  out('')
  out('Next:')
  const steps = ['npm install', 'npm test', 'npm start']
  const place = relative(process.cwd(), path)
  for (const step of place === '' ? steps : [`cd ${place}`, ...steps]) out(`  ${style('bold', step)}`)
  out('')
  out('Then open http://localhost:3000/explorer. README.md explains what each file does.')
}

/** `modelwire init <dir>`: a new project that runs and passes its own test. */
export const defineInit: DefineCommand = ({ command, terminal, finish }) => {
  command
    .description(
      'Creates a project with one model, a custom method and a test. The folder is created if it does not exist; a folder that ' +
        'contains files is refused. Without --style it asks on a terminal, and otherwise uses typebox.'
    )
    .option('--style <style>', 'typebox: models in TypeScript; json: the JSON files and folders of LoopBack 3')
    .option(
      '--database <name>',
      `database to use once DATABASE_URL is set: ${databases.map(({ name }) => name).join(', ')}`,
      databases[0].name
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ modelwire init my-api\n  $ modelwire init my-api --style json && cd my-api && npm install && npm start' +
        '\n  $ modelwire init my-api --database mongodb'
    )
    .action(async (dir: string, options: { style?: string; database: string }) => {
      const path = resolve(dir)
      const database = databaseNamed(options.database)
      await refuseFilled(path)
      const style = await chooseStyle(options.style, terminal)
      const files = makers[style]({ name: packageName(path), rangeOf: packageRange, database })
      await writeFiles(path, files)
      printNextSteps(path, files, terminal)
      finish(succeeded)
    })
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest // that of a package
}

/** Of a package that this command has, itself or by the package boot; undefined where it is not installed. */
function installedVersion(name: string): string | undefined {
  const boot = createRequire(own).resolve('@modelwire/boot/package.json')
  for (const from of [own, boot]) {
    try {
      return readManifest(createRequire(from).resolve(`${name}/package.json`)).version
    } catch {
      // Not there: the other one may have it.
    }
  }
  return undefined
}

/** The range of versions that works with this command: the versions that it has itself, and what is compatible. */
function packageRange(name: string): string {
  const { version, peerDependencies = {} } = readManifest(own)
  const found = name === 'modelwire' ? version : (others[name] ?? installedVersion(name))
  // Optional peers need not be installed.
  const range = found === undefined ? peerDependencies[name] : `^${found}`
  if (range === undefined) throw new Error(`modelwire has no range of versions for ${name}`)
  return range
}
