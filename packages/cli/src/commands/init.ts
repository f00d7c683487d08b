import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { jsonFiles } from '../init/json-files.ts'
import { databases, type NewDatabase } from '../init/databases.ts'
import { type ProjectFiles, type Style, styles } from '../init/new-project.ts'
import { packageRange } from '../init/package-range.ts'
import { typeboxFiles } from '../init/typebox-files.ts'
import type { Terminal } from '../terminal.ts'
import type { DefineCommand } from './command.ts'

const makers = { typebox: typeboxFiles, json: jsonFiles } as const

const question =
  'How do you want to declare models?\n' +
  '  typebox  in TypeScript, with types everywhere\n' +
  '  json     in the JSON files and folders of LoopBack 3\n' +
  'typebox or json? [typebox]'

function styleNamed(text: string): Style {
  const style = styles.find((name) => name === text)
  if (style !== undefined) return style
  throw new CommandError('USAGE', `the style is ${styles.join(' or ')}, not ${text}`)
}

function databaseNamed(text: string): NewDatabase {
  const database = databases.find(({ name }) => name === text)
  if (database !== undefined) return database
  const names = databases.map(({ name }) => name).join(', ')
  throw new CommandError('USAGE', `the database is one of ${names}, not ${text}`)
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
  throw new CommandError('FOLDER_NOT_EMPTY', `${path} is not empty: name a folder that is new, or empty`)
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
  out(`Made a project in ${path}:`)
  for (const name of Object.keys(files)) out(`  ${name}`)
  out('')
  out('Next:')
  const steps = ['npm install', 'npm test', 'npm start']
  const place = relative(process.cwd(), path)
  for (const step of place === '' ? steps : [`cd ${place}`, ...steps]) out(`  ${style('bold', step)}`)
  out('')
  out('Then open http://localhost:3000/explorer. README.md says what is where.')
}

/** `modelwire init <dir>`: a new project that runs and passes its own test. */
export const defineInit: DefineCommand = ({ command, terminal, finish }) => {
  command
    .description(
      'Makes a project with one model, a method of its own and a test. The folder is made when it does not exist; one that ' +
        'holds files is refused. Without --style it asks on a terminal, and takes typebox elsewhere.'
    )
    .option('--style <style>', 'typebox: models in TypeScript; json: the JSON files and folders of LoopBack 3')
    .option(
      '--database <name>',
      `where records are stored once DATABASE_URL says where it is: ${databases.map(({ name }) => name).join(', ')}`,
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
